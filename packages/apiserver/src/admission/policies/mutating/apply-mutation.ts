import { CelError, jsonOf, typeNameProblems, type CelValue, type CreatedStruct } from '@flotilla/cel';
import {
  atomicFields,
  isJsonObject,
  mergeTyped,
  SchemaError,
  validateTyped,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MergeType,
} from '@flotilla/kube';
import { MutationFault } from './mutation-fault.ts';

/** The object after an apply configuration that an expression returned. It becomes the owner of no field. */
export function applyCreatedConfiguration(object: KubeObject, created: CelValue, type: MergeType): JsonValue {
  const configuration = configurationOf(object, created);
  try {
    validateTyped(type, configuration, { allowDuplicates: false });
  } catch (error) {
    throw fault(error, 'failed to convert patch object to typed object: ');
  }
  const atomic = atomicFields(type, configuration);
  if (atomic.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`;
    throw new MutationFault(`error applying patch: invalid ApplyConfiguration: ${why}`);
  }
  try {
    return mergeTyped(type, object, configuration);
  } catch (error) {
    throw fault(error, 'failed to merge patch: ');
  }
}

function configurationOf({ apiVersion, kind }: KubeObject, created: CelValue): JsonObject {
  const json = jsonOf(created);
  // The compiler has checked that it is an Object.
  if (json instanceof CelError) throw new MutationFault(`invalid return type: ${json.message}`);
  const problems = typeNameProblems(created as CreatedStruct);
  if (problems.length > 0) throw new MutationFault(`type mismatch: ${problems.join('\n')}`);
  return { ...(isJsonObject(json) && json), apiVersion, kind };
}

function fault(error: unknown, step: string): unknown {
  return error instanceof SchemaError ? new MutationFault(`error applying patch: ${step}${error.message}`) : error;
}
