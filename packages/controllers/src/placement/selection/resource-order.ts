/** The order of resources in snapshots. It keeps snapshots equal while their content is; clusters apply in another order. */
import { apiVersionOf, compareBytes, type GroupVersionKind, type ObjectKey } from '@flotilla/kube';

/** KubeFleet's. Only the kind counts, whatever its group. Another order would cause a new snapshot of everything. */
const orderedKinds = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

const rankOfKind: ReadonlyMap<string, number> = new Map(orderedKinds.map((kind, rank) => [kind, rank]));

/** Kinds that are known come first. */
export function compareKinds(a: GroupVersionKind, b: GroupVersionKind): number {
  const rankA = rankOfKind.get(a.kind) ?? orderedKinds.length;
  const rankB = rankOfKind.get(b.kind) ?? orderedKinds.length;
  if (rankA !== rankB) return rankA - rankB;
  if (rankA < orderedKinds.length) return compareBytes(apiVersionOf(a), apiVersionOf(b));
  return compareBytes(unknownKindText(a), unknownKindText(b));
}

/** Objects of one kind. */
export function compareNames(a: ObjectKey, b: ObjectKey): number {
  return compareBytes(nameText(a), nameText(b));
}

/** As Go prints a GroupVersionKind: `/v1, Kind=Pod` in the core group. */
function unknownKindText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

function nameText({ namespace = '', name }: ObjectKey): string {
  return `${namespace}/${name}`;
}
