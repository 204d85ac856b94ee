/** The environments of admission: match conditions of webhooks and policies, and everything else in policies. */
import { createEnvironment, extend, type Environment } from '../environment.ts';
import { authorizerType, resourceCheckType } from '../libraries/authorizer.ts';
import { jsonPatchLibrary } from '../libraries/json-patch.ts';
import { kubernetesLibraries } from '../libraries/kubernetes.ts';
import { types, type CelType } from '../type.ts';
import { findPatchType } from './patch-types.ts';
import { namespaceType, requestType } from './request-types.ts';

/** Which of the optional variables and types an expression may use. */
export interface AdmissionVariables {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** False for type checks, which Kubernetes makes without `authorizer.requestResource`. */
  readonly hasRequestResource?: boolean;
  readonly hasPatchTypes?: boolean;
  /** The type of `variables`, if the policy can have them. */
  readonly variables?: CelType;
  /** The type of `object` and `oldObject`, where it is known. */
  readonly object?: CelType;
  readonly params?: CelType;
}

let plain: Environment | undefined;
let patching: Environment | undefined;

/** The libraries are indexed once, for the first expression. */
function baseEnvironment(hasPatchTypes: boolean): Environment {
  if (!hasPatchTypes) return (plain ??= createEnvironment({ libraries: kubernetesLibraries }));
  const libraries = [...kubernetesLibraries, jsonPatchLibrary];
  return (patching ??= createEnvironment({ libraries, structs: findPatchType }));
}

export function admissionEnvironment(use: AdmissionVariables): Environment {
  const { object = types.dyn, params = types.dyn, variables } = use;
  const declared = new Map<string, CelType>([
    ['object', object],
    ['oldObject', object],
    ['namespaceObject', namespaceType],
    ['request', requestType],
  ]);
  if (use.hasParams) declared.set('params', params);
  if (use.hasAuthorizer) {
    declared.set('authorizer', authorizerType);
    if (use.hasRequestResource !== false) declared.set('authorizer.requestResource', resourceCheckType);
  }
  if (variables !== undefined) declared.set('variables', variables);
  return extend(baseEnvironment(use.hasPatchTypes === true), declared);
}

/**
 * The type of a policy's `variables`, whose fields are declared one by one: a variable can use those before it. Kubernetes
 * keeps the types of scalars, lists and maps; all others are dynamic.
 */
export class DeclaredVariables {
  readonly #fields = new Map<string, CelType>();
  readonly type: CelType = types.object('kubernetes.variables', (name) => this.#fields.get(name));

  declare(name: string, type: CelType | undefined): void {
    this.#fields.set(name, type === undefined ? types.dyn : keptType(type));
  }
}

const scalars: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

function keptType(type: CelType): CelType {
  if (scalars.has(type.kind)) return type;
  if (type.kind === 'list') return types.list(keptType(type.element));
  return type.kind === 'map' ? types.map(keptType(type.key), keptType(type.value)) : types.dyn;
}
