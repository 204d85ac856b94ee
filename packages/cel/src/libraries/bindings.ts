import type { Library } from '../library.ts';
import { bindMacro } from '../parse/macros/binding-macros.ts';

/** `cel.bind`, which Kubernetes does not have. */
export const bindingsLibrary: Library = { name: 'bindings', functions: [], macros: [bindMacro] };
