/** Which Placements a change concerns. What the stage itself wrote concerns none. */
import {
  managedClusterSetBindings,
  ocmPlacements,
  schedulingDisabledAnnotation,
  type AddOnPlacementScore,
  type ManagedCluster,
  type OcmPlacement,
} from '@flotilla/api';
import { jsonEquals, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Indexes, type Watched } from '@flotilla/runtime';
import type { ManagedFleet } from './managed-fleet.ts';
import { changedDependencies, dependency, dependencyIndex, hasChangedTaints } from './placement-dependencies.ts';

type Concerns = Watched['concerns'];

const setIndex = 'set';

/** For `indexes` of ManagedClusterSetBindings. */
export const bySetName: Indexes = { [setIndex]: ({ metadata: { name = '' } }) => [name] };

/** A Placement that is new, has another spec, or is scheduled by us again. */
export const placementItself: Concerns = (now, old) => {
  if (now === undefined) return [];
  const isNews =
    old === undefined ||
    now.metadata.uid !== old.metadata.uid ||
    now.metadata.generation !== old.metadata.generation ||
    isDisabled(now) !== isDisabled(old) ||
    !jsonEquals(statusOf(now), statusOf(old));
  return isNews ? itself(now, old) : [];
};

function statusOf(object: Readonly<KubeObject>) {
  return object['status'] ?? null;
}

/** Another scheduler writes its decisions and its status. */
export function isDisabled({ metadata: { annotations = {} } }: Readonly<KubeObject>): boolean {
  return (
    Object.hasOwn(annotations, schedulingDisabledAnnotation) && annotations[schedulingDisabledAnnotation] === 'true'
  );
}

/** A binding that comes or goes. Only its name counts. */
export const placementsOfBinding: Concerns = (now, old, cache) => {
  if (now !== undefined && old !== undefined) return [];
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  return placementsIn(cache, namespace, new Set([name]));
};

/** A set that comes, goes, or selects other clusters. */
export const placementsOfSet: Concerns = (now, old, cache) => {
  if (now !== undefined && old !== undefined && jsonEquals(now['spec'] ?? null, old['spec'] ?? null)) return [];
  return placementsOfSets(cache, [(now ?? old)?.metadata.name ?? '']);
};

/** Call `fleet.clusterChanged` afterwards or before: only labels are compared. */
export function placementsOfCluster(fleet: ManagedFleet): Concerns {
  return (now, old, cache) => {
    const cluster: ManagedCluster | undefined = now;
    const before: ManagedCluster | undefined = old;
    const sets = new Set(fleet.setsOf(cluster));
    const setsBefore = new Set(fleet.setsOf(before));
    const concerned = placementsOfSets(cache, [...sets.symmetricDifference(setsBefore)]);
    const common = [...sets.intersection(setsBefore)];
    if (cluster === undefined || before === undefined || common.length === 0) return concerned;
    if (hasChangedTaints(cluster, before)) return [...concerned, ...placementsOfSets(cache, common)];
    return [...concerned, ...dependents(cache, changedDependencies(cluster, before), common)];
  };
}

/** An AddOnPlacementScore with other scores, for Placements that rank by it or read it in expressions. */
export function placementsOfScore(
  fleet: ManagedFleet,
  clusterNamed: (cache: Cache, name: string) => ManagedCluster | undefined,
): Concerns {
  return (now, old, cache) => {
    if (now !== undefined && old !== undefined && jsonEquals(scoresOf(now), scoresOf(old))) return [];
    const { namespace = '', name = '' } = (now ?? old)?.metadata ?? {};
    const sets = fleet.setsOf(clusterNamed(cache, namespace));
    return dependents(cache, [dependency.score(name), dependency.expressionWithScores], sets);
  };
}

function scoresOf(object: Readonly<KubeObject>) {
  const { scores = [], validUntil = null } = (object as AddOnPlacementScore).status ?? {};
  return [scores, validUntil];
}

/** Placements with one of the dependencies that select from one of the sets. */
function dependents(cache: Cache, dependencies: Iterable<string>, sets: readonly string[]): ObjectKey[] {
  const names = new Set(sets);
  const namespaces = new Map(namespacesOf(cache, sets));
  const found: ObjectKey[] = [];
  for (const value of dependencies) {
    for (const placement of cache.indexed(ocmPlacements, dependencyIndex, value)) {
      const bound = namespaces.get(placement.metadata.namespace ?? '');
      if (bound !== undefined && selectsFrom(placement, names.intersection(bound)))
        found.push(...itself(placement, undefined));
    }
  }
  return found;
}

function placementsOfSets(cache: Cache, sets: readonly string[]): ObjectKey[] {
  return [...namespacesOf(cache, sets)].flatMap(([namespace, names]) => placementsIn(cache, namespace, names));
}

/** Namespaces that are bound to the sets, with those that they are bound to. */
function namespacesOf(cache: Cache, sets: readonly string[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const set of sets) {
    for (const { metadata } of cache.indexed(managedClusterSetBindings, setIndex, set)) {
      const { namespace = '' } = metadata;
      const names = found.get(namespace);
      if (names === undefined) found.set(namespace, new Set([set]));
      else names.add(set);
    }
  }
  return found;
}

function placementsIn(cache: Cache, namespace: string | undefined, sets: ReadonlySet<string>): ObjectKey[] {
  const all = cache.list(ocmPlacements, { namespace });
  return all.filter((placement) => selectsFrom(placement, sets)).flatMap((placement) => itself(placement, undefined));
}

function selectsFrom({ spec: { clusterSets = [] } }: Readonly<OcmPlacement>, sets: ReadonlySet<string>): boolean {
  return sets.size > 0 && (clusterSets.length === 0 || clusterSets.some((name) => sets.has(name)));
}
