import { ApiError, onceFor } from '@flotilla/kube';
import type { Store } from '../../../store/store.ts';
import { forbidden, type Admission, type Attributes } from '../../admission.ts';
import { ActivePolicies } from '../active-policies.ts';
import { stepsFor, type Step } from '../invocations.ts';
import { invokePolicies, mutatingPolicyName, type PolicyFailure } from './invoke-policies.ts';
import { MutatingPolicy } from './mutating-policy.ts';

const policiesOf = onceFor(
  (store: Store) => new ActivePolicies(store, 'mutatingadmission', (object) => new MutatingPolicy(object)),
);

/** Changes objects by the MutatingAdmissionPolicies that are bound. Each sees the changes of those before it. */
export const mutatingAdmissionPolicy: Admission = {
  name: mutatingPolicyName,
  operations: ['CREATE', 'UPDATE', 'CONNECT'],
  admit(attributes) {
    const candidates = policiesOf(attributes.server.store).candidates(attributes);
    if (candidates.length > 0) return mutate(attributes, stepsFor(attributes, candidates));
  },
};

type Steps = readonly Step<MutatingPolicy>[];

async function mutate(attributes: Attributes, finding: Steps | Promise<Steps>): Promise<void> {
  const steps = await finding;
  const misconfigured: PolicyFailure[] = steps.filter((step) => 'message' in step);
  const invocations = steps.filter((step) => 'matched' in step);
  const failed = invocations.length === 0 ? [] : await invokePolicies(attributes, invocations);
  const failures = [...misconfigured, ...failed].filter(({ policy }) => policy.spec.failurePolicy !== 'Ignore');
  if (failures.length > 0) throw denied(attributes, failures);
}

/** The first failure gives the message and the reason; all are causes. The code is always 403. */
function denied(attributes: Attributes, failures: readonly PolicyFailure[]): ApiError {
  const { status } = forbidden(attributes, '');
  const causes = failures.map((failure) => ({ message: failureText(failure) }));
  const message = causes[0]?.message ?? '';
  const reason = failures[0]?.reason ?? 'Forbidden';
  return new ApiError({ ...status, message, reason, details: { ...status.details, causes } });
}

function failureText({ policy, binding, message }: PolicyFailure): string {
  const where = binding ? `policy '${policy.name}' with binding '${binding.name}'` : `policy "${policy.name}"`;
  return `${where} denied request: ${message}`;
}
