import { CelError, CelList, CreatedStruct, jsonOf, typeNameProblems, type CelValue } from '@flotilla/cel';
import { applyJsonPatch, isFailedTest, PatchError, type JsonValue, type KubeObject } from '@flotilla/kube';
import { MutationFault } from './mutation-fault.ts';

type Operation = Parameters<typeof applyJsonPatch>[1][number];

/** The object after the operations that an expression returned. A `test` that fails leaves it as it is. */
export function applyPatchOperations(object: KubeObject, operations: CelValue): JsonValue {
  try {
    return applyJsonPatch(object, operationsIn(operations));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (isFailedTest(error)) return object;
    throw new MutationFault(`JSON Patch: ${error.message}`);
  }
}

function operationsIn(value: CelValue): readonly Operation[] {
  // The compiler has checked the type.
  const list = value as CelList;
  return Array.from({ length: list.size }, (_, index) => operationOf(list.at(index) as CreatedStruct));
}

function operationOf({ fields }: CreatedStruct): Operation {
  const text = (name: string): string => (fields.get(name) as string | undefined) ?? '';
  const value = fields.get('value');
  return {
    op: text('op'),
    path: text('path'),
    ...(text('from') !== '' && { from: text('from') }),
    ...(value !== undefined && { value: patchValue(value) }),
  };
}

function patchValue(value: CelValue): JsonValue {
  const json = jsonOf(value);
  if (json instanceof CelError) {
    const why = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON';
    throw new MutationFault(`${why}: ${json.message}`);
  }
  const problems = value instanceof CreatedStruct ? typeNameProblems(value) : [];
  if (problems.length > 0) throw new MutationFault(`type mismatch: ${problems.join('\n')}`);
  return json;
}
