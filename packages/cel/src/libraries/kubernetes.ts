import type { Library } from '../library.ts';
import { bindMacro } from '../parse/macros/binding-macros.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { authorizerLibrary } from './authorizer.ts';
import { cidrLibrary } from './cidr.ts';
import { extendedListsLibrary } from './extended-lists.ts';
import { ipLibrary } from './ip.ts';
import { listsLibrary } from './lists.ts';
import { formatLibrary } from './named-format.ts';
import { optionalLibrary } from './optionals.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { setsLibrary } from './sets.ts';
import { stringsLibrary } from './strings.ts';
import { twoVariableLoopsLibrary } from './two-variable-loops.ts';
import { urlLibrary } from './url.ts';

/**
 * All that expressions may use in Kubernetes v1.36. What is written anew is held to what the version before understood, and
 * what is stored to all; since the last library came with v1.34, both are the same.
 */
export const kubernetesLibraries: readonly Library[] = [
  standardLibrary,
  urlLibrary,
  regexLibrary,
  listsLibrary,
  authorizerLibrary,
  optionalLibrary,
  quantityLibrary,
  stringsLibrary,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  twoVariableLoopsLibrary,
  semverLibrary,
  extendedListsLibrary,
];

/** `cel.bind`, which Kubernetes does not have. */
export const bindingsLibrary: Library = { name: 'bindings', functions: [], macros: [bindMacro] };
