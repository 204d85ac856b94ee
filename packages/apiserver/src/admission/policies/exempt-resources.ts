import { qualified } from '@flotilla/kube';
import type { Resource } from '../../resources/resource.ts';

const exempt: ReadonlySet<string> = new Set([
  // A mistake in a policy could otherwise never be corrected.
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  // Components ask these about every request.
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

const exemptGroups: ReadonlySet<string> = new Set([...exempt].map((name) => name.slice(name.indexOf('.') + 1)));

/** Whether policies apply to the resource at all. */
export function isUnderPolicies({ group, plural }: Resource): boolean {
  return !exemptGroups.has(group) || !exempt.has(qualified(plural, group));
}
