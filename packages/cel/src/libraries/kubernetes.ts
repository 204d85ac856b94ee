import type { Library } from '../library.ts';
import { bindMacro } from '../parse/macros/binding-macros.ts';
import { standardLibrary } from '../standard/standard-library.ts';
import { authorizerLibrary } from './authorizer.ts';
import { cidrLibrary } from './net/cidr.ts';
import { extendedListsLibrary } from './lists/extended-lists.ts';
import { ipLibrary } from './net/ip.ts';
import { listsLibrary } from './lists/lists.ts';
import { formatLibrary } from './text/named-format.ts';
import { optionalLibrary } from './optionals.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './text/regex.ts';
import { semverLibrary } from './semver.ts';
import { setsLibrary } from './lists/sets.ts';
import { stringsLibrary } from './text/strings.ts';
import { twoVariableLoopsLibrary } from './lists/two-variable-loops.ts';
import { urlLibrary } from './net/url.ts';

/**
 * All libraries of Kubernetes v1.36. Kubernetes checks new expressions against the previous version and stored ones
 * against the current. The last library came with v1.34, so both are the same.
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
