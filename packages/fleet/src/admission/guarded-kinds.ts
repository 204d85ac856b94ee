/** The kinds that the guard rail protects in reserved namespaces: KubeFleet's list. Leases and events are free. */
import { clusterApi, networkingApi, placementApi } from '@flotilla/api';
import { rbacGroup } from '@flotilla/kube';
import { anyName, type CheckedKind } from './fleet-check.ts';

/** By group. A kind may have subresources after a slash; they are protected like the object. */
const written: Readonly<Record<string, string>> = {
  '': `bindings configmaps endpoints limitranges persistentvolumeclaims/status podtemplates pods/status
    replicationcontrollers/status resourcequotas/status secrets serviceaccounts/token services/status`,
  apps: 'controllerrevisions daemonsets/status replicasets/status deployments/status statefulsets/status',
  'authorization.k8s.io': 'localsubjectaccessreviews/status',
  autoscaling: 'horizontalpodautoscalers/status',
  batch: 'cronjobs/status jobs/status',
  'discovery.k8s.io': 'endpointslices',
  'networking.k8s.io': 'ingresses/status networkpolicies/status',
  policy: 'poddisruptionbudgets/status',
  [rbacGroup]: 'roles rolebindings',
  'storage.k8s.io': 'csistoragecapacities',
  [clusterApi.group]: 'internalmemberclusters/status',
  [placementApi.group]: 'works/status',
  [networkingApi.group]: `endpointsliceexports endpointsliceimports internalserviceexports/status
    internalserviceimports/status`,
};

const createOrUpdate = ['CREATE', 'UPDATE'] as const;

export const guardedKinds: readonly CheckedKind[] = [
  { kind: { group: anyName, plural: anyName, namespaced: true }, subresources: [anyName], operations: ['DELETE'] },
  ...Object.entries(written).flatMap(([group, names]) =>
    names.split(/\s+/).map((name): CheckedKind => {
      const [plural = '', ...subresources] = name.split('/');
      const kind = { group, plural, namespaced: true };
      return { kind, subresources: ['', ...subresources], operations: createOrUpdate };
    }),
  ),
];

/** Kinds that the agent of a member writes in its namespace. */
export const agentPlurals: ReadonlyMap<string, readonly string[]> = new Map([
  [clusterApi.group, ['internalmemberclusters']],
  [placementApi.group, ['works']],
  [
    networkingApi.group,
    ['endpointsliceexports', 'endpointsliceimports', 'internalserviceexports', 'internalserviceimports'],
  ],
]);
