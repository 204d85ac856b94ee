import {
  managedClusters,
  managedClusterSetBindings,
  managedClusterSets,
  type ManagedClusterSetBinding,
} from '@flotilla/api';
import type { KubeObject, ObjectKey } from '@flotilla/kube';
import { itself, type Controller, type Source, type Watched } from '@flotilla/runtime';
import { allObjects, ManagedFleet } from '../ocm-placement/managed-fleet.ts';
import { decideClusterSet, defaultSelectors, type ClusterSetState } from './decide.ts';
import { decideBinding, type BindingState } from './decide-binding.ts';

/** Clusters often join together, and each changes how many a set has. */
const collectChangesMs = 250;

/** Keep the default cluster sets, and the statuses of sets and of their bindings. On a hub with OCM, its registration does this. */
export function clusterSetControllers(): Controller[] {
  return [clusterSetController(), bindingController()];
}

function clusterSetController(): Controller<ClusterSetState> {
  const fleet = new ManagedFleet();
  const setChanged: Watched['concerns'] = (now, old) => {
    fleet.setChanged(now, old);
    return itself(now, old);
  };
  const clusterChanged: Watched['concerns'] = (now, old) => {
    fleet.clusterChanged(now, old);
    return movedBetween(fleet, now, old);
  };
  return {
    name: 'managed-cluster-set',
    sources: [defaultSets],
    watches: [
      { kind: managedClusterSets, concerns: setChanged, indexes: allObjects },
      { kind: managedClusters, concerns: clusterChanged, indexes: allObjects, afterMs: () => collectChangesMs },
    ],
    observe: ({ name }, cache) => {
      fleet.check(cache);
      return { name, set: cache.get(managedClusterSets, { name }), size: fleet.sizeOf(name) };
    },
    decide: decideClusterSet,
  };
}

/** They are created although nothing has changed. */
const defaultSets: Source = {
  subscribe: (wake) => {
    for (const name of defaultSelectors.keys()) wake({ name });
    return () => undefined;
  },
  isAtRest: () => true,
};

/** The sets that have one cluster more, or one less. */
function movedBetween(fleet: ManagedFleet, now: KubeObject | undefined, old: KubeObject | undefined): ObjectKey[] {
  const setsOf = (cluster: KubeObject | undefined) => new Set(fleet.setsOf(cluster));
  return [...setsOf(now).symmetricDifference(setsOf(old))].map((name) => ({ name }));
}

const setIndex = 'bound set';

function bindingController(): Controller<BindingState> {
  return {
    name: 'managed-cluster-set-binding',
    workers: 4,
    watches: [
      { kind: managedClusterSetBindings, concerns: itself, indexes: { [setIndex]: (binding) => [setOf(binding)] } },
      { kind: managedClusterSets, concerns: bindingsOfSet },
    ],
    observe: (key, cache) => {
      const binding = cache.get(managedClusterSetBindings, key);
      if (binding === undefined) return undefined;
      return { binding, hasSet: cache.get(managedClusterSets, { name: setOf(binding) }) !== undefined };
    },
    decide: decideBinding,
  };
}

function setOf(binding: Readonly<ManagedClusterSetBinding>): string {
  return binding.spec?.clusterSet ?? '';
}

/** A set that comes or goes. */
const bindingsOfSet: Watched['concerns'] = (now, old, cache) => {
  if (now && old) return [];
  const name = (now ?? old)?.metadata.name ?? '';
  return cache.indexed(managedClusterSetBindings, setIndex, name).flatMap((binding) => itself(binding, undefined));
};
