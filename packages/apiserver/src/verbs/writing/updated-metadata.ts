import {
  nameIsDnsSubdomain,
  nameIsPathSegment,
  pushAll,
  validateKubeFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import type { Resource } from '../../resources/resource.ts';

/**
 * Kinds validate metadata again after the common validation: as that of any object (M) or as a change (U). Lower case if they
 * allow finalizers without a domain. Measured on kube-apiserver v1.36 for each kind; kinds that are not listed do `U`.
 */
const checksOfKinds: Readonly<Record<string, readonly string[]>> = {
  // A CustomResourceDefinition validates its metadata itself.
  '': ['CustomResourceDefinition.apiextensions.k8s.io', 'Event', 'PodDisruptionBudget.policy'],
  M: [
    'CSINode.storage.k8s.io',
    'EndpointSlice.discovery.k8s.io',
    'FlowSchema.flowcontrol.apiserver.k8s.io',
    'LimitRange',
    'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
    'VolumeAttachment.storage.k8s.io',
  ],
  MM: ['PersistentVolume'],
  MU: [
    'CertificateSigningRequest.certificates.k8s.io',
    'ClusterRole.rbac.authorization.k8s.io',
    'ClusterRoleBinding.rbac.authorization.k8s.io',
    'CSIStorageCapacity.storage.k8s.io',
    'DeviceClass.resource.k8s.io',
    'IPAddress.networking.k8s.io',
    'Job.batch',
    'Namespace',
    'Node',
    'ResourceClaim.resource.k8s.io',
    'ResourceClaimTemplate.resource.k8s.io',
    'Role.rbac.authorization.k8s.io',
    'RoleBinding.rbac.authorization.k8s.io',
    'StorageClass.storage.k8s.io',
  ],
  UM: [
    'ConfigMap',
    'ControllerRevision.apps',
    'Endpoints',
    'Ingress.networking.k8s.io',
    'IngressClass.networking.k8s.io',
    'PersistentVolumeClaim',
    'Pod',
    'Secret',
    'ServiceAccount',
    'VolumeAttributesClass.storage.k8s.io',
  ],
  m: [
    'MutatingAdmissionPolicy.admissionregistration.k8s.io',
    'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    'MutatingWebhookConfiguration.admissionregistration.k8s.io',
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
    'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
  ],
  mu: ['RuntimeClass.node.k8s.io'],
  u: ['Lease.coordination.k8s.io'],
  um: ['APIService.apiregistration.k8s.io'],
};

/** Kinds whose subresources validate metadata differently. */
const checksOfSubresources: typeof checksOfKinds = {
  '': ['CronJob.batch'],
  U: [
    'Ingress.networking.k8s.io',
    'Job.batch',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'ResourceClaim.resource.k8s.io',
  ],
};

const byKind = checksByKind(checksOfKinds);
const bySubresource = checksByKind(checksOfSubresources);

function checksByKind(kindsByChecks: typeof checksOfKinds): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(kindsByChecks).flatMap(([checks, kinds]) => kinds.map((kind) => [kind, checks] as const)),
  );
}

/** The errors in the metadata of an update, each as often as Kubernetes reports it. */
export function updatedMetadataErrors(
  resource: Resource,
  subresource: string,
  object: KubeObject,
  old: KubeObject,
): FieldError[] {
  // The metadata of custom resources is validated elsewhere, with other messages.
  if (resource.isUnstructured) return [];
  const { metadata } = object;
  const errors = validateObjectMeta(metadata, {
    isNamespaced: resource.namespaced,
    nameRule: nameIsPathSegment,
    allowsShortFinalizers: true,
  });
  pushAll(errors, validateObjectMetaUpdate(metadata, old.metadata, { isValid: errors.length === 0 }));
  // The checks of the kind can only find more in these two fields, because the name cannot change.
  const isFine = errors.length === 0 && !metadata.finalizers?.length && !metadata.generateName;
  if (isFine) return errors;
  for (const check of checksOf(resource, subresource)) errors.push(...errorsOfKind(check, resource, object, old));
  return errors;
}

function checksOf({ kind, group }: Resource, subresource: string): string {
  const key = group === '' ? kind : `${kind}.${group}`;
  return (subresource === '' ? undefined : bySubresource.get(key)) ?? byKind.get(key) ?? 'U';
}

function errorsOfKind(check: string, resource: Resource, { metadata }: KubeObject, old: KubeObject): FieldError[] {
  if (check === 'u') return validateObjectMetaUpdate(metadata, old.metadata);
  if (check === 'U') {
    return [
      ...validateObjectMetaUpdate(metadata, old.metadata),
      ...validateKubeFinalizers(metadata.finalizers ?? [], 'metadata.finalizers'),
    ];
  }
  return validateObjectMeta(metadata, {
    isNamespaced: resource.namespaced,
    nameRule: resource.behavior.nameRule ?? nameIsDnsSubdomain,
    allowsShortFinalizers: check === 'm',
  });
}
