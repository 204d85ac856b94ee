import type { Admission } from './admission.ts';
import { claimResize } from './claim-resize.ts';
import { defaultIngressClass, defaultStorageClass } from './default-class.ts';
import { defaultTolerations } from './default-tolerations.ts';
import { inUseProtection } from './in-use-protection.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { newNodes } from './new-nodes.ts';
import { podPriority } from './pod-priority.ts';
import { runtimeClass } from './runtime-class.ts';
import { terminatingDefinitions } from './terminating-definitions.ts';
import { topologyLabels } from './topology-labels.ts';

/**
 * What kube-apiserver runs by default, in its order. Limits, quotas, policies and webhooks are stored without effect so far;
 * service accounts need tokens that nobody issues yet.
 */
export const defaultAdmission: readonly Admission[] = [
  terminatingDefinitions,
  namespaceLifecycle,
  newNodes,
  podPriority,
  defaultTolerations,
  defaultStorageClass,
  inUseProtection,
  claimResize,
  runtimeClass,
  defaultIngressClass,
  topologyLabels,
];
