import type { Admission, AdmissionChain } from './admission.ts';
import { certificateApproval, certificateSigning } from './certificates/signer-rights.ts';
import { certificateSubjectRestriction } from './certificates/subject-restriction.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { limitRanger } from './limit-ranger.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { validatingAdmissionPolicy } from './policies/validating/validating-admission-policy.ts';
import { podPriority } from './pod-priority.ts';
import { podResize } from './pod-resize.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { resourceQuota } from './quota/resource-quota.ts';
import { defaultTolerations, runtimeClass, taintNewNodes, topologyLabels } from './scheduling.ts';
import { serviceAccount } from './service-account.ts';
import { claimResize, inUseProtection } from './storage.ts';
import { terminatingDefinitions } from './terminating-definitions.ts';

/** The default plugins of kube-apiserver in order. A string is a plugin that we do not implement yet. */
const inOrder: readonly (Admission | string)[] = [
  terminatingDefinitions,
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  taintNewNodes,
  podSecurity,
  podPriority,
  defaultTolerations,
  defaultStorageClass,
  inUseProtection,
  claimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  'ClusterTrustBundleAttest',
  certificateSubjectRestriction,
  defaultIngressClass,
  topologyLabels,
  'NodeDeclaredFeatureValidator',
  podResize,
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  validatingAdmissionPolicy,
  'ValidatingAdmissionWebhook',
  resourceQuota,
];

/** The built-in plugins without the disabled ones, then those of the embedding program. */
export function admissionPlugins(
  disabled: readonly string[] = [],
  embedderPlugins: readonly Admission[] = [],
): AdmissionChain {
  const known = inOrder.filter((plugin) => typeof plugin !== 'string');
  const plugins = [...known.filter(({ name }) => !disabled.includes(name)), ...embedderPlugins];
  return {
    plugins,
    admitting: plugins.flatMap(({ admit }) => admit ?? []),
    validating: plugins.flatMap(({ validate }) => validate ?? []),
    charging: plugins.flatMap(({ charge }) => charge ?? []),
  };
}
