import type { JsonObject, KubeObject } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';

/** Returns what is wrong with the types in a policy's expressions, as its status lists it. */
export type CheckPolicyTypes = (policy: KubeObject) => readonly ExpressionWarning[];

interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export interface PolicyTypesState {
  readonly policy: Readonly<KubeObject> | undefined;
  readonly check: CheckPolicyTypes;
}

/** A policy is checked once in each generation. */
export function decidePolicyTypes({ policy, check }: PolicyTypesState): Plan {
  if (!policy) return nothingToDo;
  const { generation = 0 } = policy.metadata;
  const status = (policy['status'] ?? {}) as JsonObject;
  if (generation <= Number(status['observedGeneration'] ?? 0)) return nothingToDo;
  const expressionWarnings = check(policy).map((warning): JsonObject => ({ ...warning }));
  const typeChecking: JsonObject = expressionWarnings.length === 0 ? {} : { expressionWarnings };
  const object = { ...policy, status: { ...status, observedGeneration: generation, typeChecking } };
  return { steps: [[{ verb: 'update', kind: kinds.validatingAdmissionPolicy, object, subresource: 'status' }]] };
}
