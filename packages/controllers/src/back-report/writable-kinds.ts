/** The kinds of objects whose status members may write on the hub. */
import { clusterApi, inventoryApi, networkingApi, placementApi } from '@flotilla/api';
import type { DiscoveredKind } from '@flotilla/client';

/** Kubernetes' own kinds whose status says how a workload does. No other program acts on the hub because of it. */
const workloads: ReadonlySet<string> = new Set([
  'apps/Deployment',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'apps/ReplicaSet',
  'batch/Job',
  'batch/CronJob',
  '/Service',
  '/PersistentVolumeClaim',
  '/ReplicationController',
  'networking.k8s.io/Ingress',
  'autoscaling/HorizontalPodAutoscaler',
  'policy/PodDisruptionBudget',
]);

/** A status of these kinds is a decision of the fleet's own controllers. */
const fleetGroups: ReadonlySet<string> = new Set([
  placementApi.group,
  clusterApi.group,
  inventoryApi.group,
  networkingApi.group,
  'placement.kubefleet.dev',
]);

/** `isCustom`: whether a CustomResourceDefinition defines the kind. All of those with a status may be written, but the fleet's. */
export function isWritable({ group, kind, subresources }: DiscoveredKind, isCustom: boolean): boolean {
  const hasStatus = subresources.some(({ name, verbs }) => name === 'status' && verbs.includes('patch'));
  return hasStatus && (isCustom ? !fleetGroups.has(group) : workloads.has(`${group}/${kind}`));
}
