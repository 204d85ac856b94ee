import { managedClusters } from '@flotilla/api';
import { leases, namespaces, type KubeObject } from '@flotilla/kube';
import type { Controller, Watched } from '@flotilla/runtime';
import { isMirror } from '../mirror/mirror.ts';
import { clusterLease, decideAvailability, type ClusterState, type LeaseSettings } from './decide.ts';

/** Keeps availability and taints of ManagedClusters that are no mirrors. On a hub with OCM, its registration does this. */
export function availabilityController(settings: LeaseSettings): Controller<ClusterState> {
  return {
    name: 'managed-cluster-availability',
    workers: 4,
    watches: [
      { kind: managedClusters, concerns: itselfUnlessMirror },
      { kind: leases, concerns: clusterIfNotRenewal, fieldSelector: `metadata.name=${clusterLease}` },
      { kind: namespaces, concerns: clusterOfNamespace, metadataOnly: true },
    ],
    observe: ({ name }, cache) => {
      const cluster = cache.get(managedClusters, { name });
      if (cluster === undefined || isMirror(cluster)) return undefined;
      const lease = cache.get(leases, { namespace: name, name: clusterLease });
      return { cluster, namespace: cache.get(namespaces, { name }), lease };
    },
    decide: (state, now) => decideAvailability(state, settings, now),
  };
}

type Concerns = Watched['concerns'];

const itselfUnlessMirror: Concerns = (now, old) => {
  const cluster = now ?? old;
  return cluster === undefined || isMirror(cluster) ? [] : [{ name: cluster.metadata.name ?? '' }];
};

/** A timer notices that renewals have stopped. The agent itself says that it is back. */
const clusterIfNotRenewal: Concerns = (now, old) =>
  now && old ? [] : [{ name: (now ?? old)?.metadata.namespace ?? '' }];

/** A cluster without a namespace has no lease yet. */
const clusterOfNamespace: Concerns = (now, old, cache) => {
  const name = nameOf(now ?? old);
  return now && old ? [] : cache.get(managedClusters, { name }) ? [{ name }] : [];
};

function nameOf(object: KubeObject | undefined): string {
  return object?.metadata.name ?? '';
}
