import type { KindBehavior } from '../kind.ts';
import {
  mutatingAdmissionPolicyBindingKind,
  validatingAdmissionPolicyBindingKind,
} from './admissionregistration/admission-policy-binding.ts';
import { mutatingAdmissionPolicyKind } from './admissionregistration/mutating-admission-policy.ts';
import { validatingAdmissionPolicyKind } from './admissionregistration/validating-admission-policy.ts';
import {
  mutatingWebhookConfigurationKind,
  validatingWebhookConfigurationKind,
} from './admissionregistration/webhook-configuration.ts';
import { apiServiceKind } from './apiregistration/api-service.ts';
import { controllerRevisionKind } from './apps/controller-revision.ts';
import { daemonSetKind } from './apps/daemon-set.ts';
import { deploymentKind } from './apps/deployment.ts';
import { replicaSetKind } from './apps/replica-set.ts';
import { statefulSetKind } from './apps/stateful-set.ts';
import { accessReviewKinds } from './authorization/access-review.ts';
import { horizontalPodAutoscalerKind, horizontalPodAutoscalerV1Kind } from './autoscaling/horizontal-pod-autoscaler.ts';
import { scaleKind } from './autoscaling/scale.ts';
import { cronJobKind } from './batch/cron-job.ts';
import { jobKind } from './batch/job.ts';
import { certificateSigningRequestKind } from './certificates/certificate-signing-request.ts';
import { leaseKind } from './coordination/lease.ts';
import { podTemplateKind } from './core-pods/pod-template.ts';
import { podKind } from './core-pods/pod.ts';
import { replicationControllerKind } from './core-pods/replication-controller.ts';
import { endpointsKind } from './core-services/endpoints.ts';
import { serviceKind } from './core-services/service.ts';
import { persistentVolumeClaimKind } from './core-volumes/persistent-volume-claim.ts';
import { persistentVolumeKind } from './core-volumes/persistent-volume.ts';
import { bindingKind } from './core/binding.ts';
import { componentStatusKind } from './core/component-status.ts';
import { configMapKind } from './core/config-map.ts';
import { limitRangeKind } from './core/limit-range.ts';
import { namespaceKind } from './core/namespace.ts';
import { nodeKind } from './core/node.ts';
import { resourceQuotaKind } from './core/resource-quota.ts';
import { secretKind } from './core/secret.ts';
import { serviceAccountKind } from './core/service-account.ts';
import { endpointSliceKind } from './discovery/endpoint-slice.ts';
import { coreEventKind, eventsEventKind } from './events/event.ts';
import { flowSchemaKind } from './flowcontrol/flow-schema.ts';
import { priorityLevelConfigurationKind } from './flowcontrol/priority-level-configuration.ts';
import { ingressClassKind } from './networking/ingress-class.ts';
import { ingressKind } from './networking/ingress.ts';
import { ipAddressKind } from './networking/ip-address.ts';
import { networkPolicyKind } from './networking/network-policy.ts';
import { serviceCidrKind } from './networking/service-cidr.ts';
import { runtimeClassKind } from './node/runtime-class.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget.ts';
import { clusterRoleBindingKind, roleBindingKind } from './rbac/role-binding.ts';
import { clusterRoleKind, roleKind } from './rbac/role.ts';
import { deviceClassKind } from './resource/device-class.ts';
import { resourceClaimTemplateKind } from './resource/resource-claim-template.ts';
import { resourceClaimKind } from './resource/resource-claim.ts';
import { resourceSliceKind } from './resource/resource-slice.ts';
import { priorityClassKind } from './scheduling/priority-class.ts';
import { csiDriverKind } from './storage/csi-driver.ts';
import { csiNodeKind } from './storage/csi-node.ts';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity.ts';
import { storageClassKind } from './storage/storage-class.ts';
import { volumeAttachmentKind } from './storage/volume-attachment.ts';
import { volumeAttributesClassKind } from './storage/volume-attributes-class.ts';

/** Every built-in kind that has behaviour beyond its fields, by folder. An Eviction has none. */
export const allKinds: readonly KindBehavior[] = [
  validatingWebhookConfigurationKind,
  mutatingWebhookConfigurationKind,
  validatingAdmissionPolicyKind,
  validatingAdmissionPolicyBindingKind,
  mutatingAdmissionPolicyKind,
  mutatingAdmissionPolicyBindingKind,
  apiServiceKind,
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
  ...accessReviewKinds,
  horizontalPodAutoscalerKind,
  horizontalPodAutoscalerV1Kind,
  scaleKind,
  cronJobKind,
  jobKind,
  certificateSigningRequestKind,
  leaseKind,
  bindingKind,
  componentStatusKind,
  configMapKind,
  endpointsKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeClaimKind,
  persistentVolumeKind,
  resourceQuotaKind,
  secretKind,
  serviceAccountKind,
  serviceKind,
  podKind,
  podTemplateKind,
  replicationControllerKind,
  endpointSliceKind,
  coreEventKind,
  eventsEventKind,
  flowSchemaKind,
  priorityLevelConfigurationKind,
  ingressClassKind,
  ingressKind,
  ipAddressKind,
  networkPolicyKind,
  serviceCidrKind,
  runtimeClassKind,
  podDisruptionBudgetKind,
  roleKind,
  clusterRoleKind,
  roleBindingKind,
  clusterRoleBindingKind,
  deviceClassKind,
  resourceClaimKind,
  resourceClaimTemplateKind,
  resourceSliceKind,
  priorityClassKind,
  storageClassKind,
  volumeAttributesClassKind,
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  volumeAttachmentKind,
];
