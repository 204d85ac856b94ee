/** The kinds that scenarios name and snapshots show. */
import { deployments, namespaces, nodes, pods, type Kind } from '@flotilla/kube';

const core = { group: '', version: 'v1' } as const;
const apps = { group: 'apps', version: 'v1' } as const;
const batch = { group: 'batch', version: 'v1' } as const;
const policy = { group: 'policy', version: 'v1' } as const;

/** In the order of snapshots: owners before what they own. */
export const namespacedKinds: readonly Kind[] = [
  { ...core, kind: 'ResourceQuota', plural: 'resourcequotas', namespaced: true },
  {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    namespaced: true,
  },
  { ...policy, kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
  { ...batch, kind: 'CronJob', plural: 'cronjobs', namespaced: true },
  { ...batch, kind: 'Job', plural: 'jobs', namespaced: true },
  deployments,
  { ...apps, kind: 'ReplicaSet', plural: 'replicasets', namespaced: true },
  { ...core, kind: 'ReplicationController', plural: 'replicationcontrollers', namespaced: true },
  { ...apps, kind: 'StatefulSet', plural: 'statefulsets', namespaced: true },
  { ...apps, kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
  { ...apps, kind: 'ControllerRevision', plural: 'controllerrevisions', namespaced: true },
  pods,
  { ...core, kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', namespaced: true },
  { ...core, kind: 'Service', plural: 'services', namespaced: true },
  { ...core, kind: 'Endpoints', plural: 'endpoints', namespaced: true },
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', namespaced: true },
];

export const volumes: Kind = { ...core, kind: 'PersistentVolume', plural: 'persistentvolumes', namespaced: false };

const others: readonly Kind[] = [
  volumes,
  nodes,
  namespaces,
  { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass', plural: 'storageclasses', namespaced: false },
];

const byPlural = new Map([...namespacedKinds, ...others].map((kind) => [kind.plural, kind]));
const byKind = new Map([...namespacedKinds, ...others].map((kind) => [kind.kind, kind]));

export function kindOfPlural(plural: string): Kind {
  const kind = byPlural.get(plural);
  if (kind === undefined) throw new Error(`unknown resource ${plural}; add it to test/simulator/kinds.ts`);
  return kind;
}

export function kindNamed(name: string): Kind {
  const kind = byKind.get(name);
  if (kind === undefined) throw new Error(`unknown kind ${name}; add it to test/simulator/kinds.ts`);
  return kind;
}
