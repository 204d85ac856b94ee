import type { Admission } from './admission.ts';
import { claimResize } from './claim-resize.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { inUseProtection } from './in-use-protection.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { newNodes } from './new-nodes.ts';
import { podPriority } from './pod-priority.ts';
import { podResize } from './pod-resize.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account.ts';
import { terminatingDefinitions } from './terminating-definitions.ts';
import { topologyLabels } from './topology-labels.ts';

/** What kube-apiserver runs by default, in its order. A name alone keeps the place of a plugin that we do not have yet. */
const inOrder: readonly (Admission | string)[] = [
  terminatingDefinitions,
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  newNodes,
  podSecurity,
  podPriority,
  defaultTolerations,
  defaultStorageClass,
  inUseProtection,
  claimResize,
  runtimeClass,
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  defaultIngressClass,
  topologyLabels,
  'NodeDeclaredFeatureValidator',
  podResize,
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
];

/** The server's own steps without those that were switched off. A host program's own come after them. */
export function admissionSteps(
  disabled: readonly string[] = [],
  ownSteps: readonly Admission[] = [],
): readonly Admission[] {
  const known = inOrder.filter((step) => typeof step !== 'string');
  return [...known.filter(({ name }) => !disabled.includes(name)), ...ownSteps];
}
