import type { KubeObject } from '@flotilla/kube';
import type { Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { decidePolicyTypes, type CheckPolicyTypes, type PolicyTypesState } from './decide.ts';

/** Writes the type checks of ValidatingAdmissionPolicies into their status. */
export function policyTypesController(check: CheckPolicyTypes): Controller<PolicyTypesState> {
  return {
    name: 'validatingadmissionpolicy-status',
    watches: [
      {
        kind: kinds.validatingAdmissionPolicy,
        concerns: (now: KubeObject | undefined) => (now ? [{ name: now.metadata.name ?? '' }] : []),
      },
    ],
    observe: (key, cache) => ({ policy: cache.get(kinds.validatingAdmissionPolicy, key), check }),
    decide: decidePolicyTypes,
  };
}
