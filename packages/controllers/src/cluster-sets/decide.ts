import {
  autoUpdateAnnotation,
  clusterSetConditions,
  clusterSetReasons,
  defaultClusterSet,
  globalClusterSet,
  managedClusterSets,
  withCondition,
  type ConditionState,
  type ManagedClusterSelector,
  type ManagedClusterSet,
} from '@flotilla/api';
import { apiVersionOf, jsonEquals } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';

export interface ClusterSetState {
  readonly name: string;
  readonly set: Readonly<ManagedClusterSet> | undefined;
  /** How many clusters it has. */
  readonly size: number;
}

/** The sets that every hub has, by name. */
export const defaultSelectors: ReadonlyMap<string, ManagedClusterSelector> = new Map([
  [defaultClusterSet, { selectorType: 'ExclusiveClusterSetLabel' }],
  [globalClusterSet, { selectorType: 'LabelSelector', labelSelector: {} }],
]);

/** Default sets exist, and keep their selectors. Every set says how many clusters it has. */
export function decideClusterSet({ name, set, size }: ClusterSetState, now: Date): Plan {
  const clusterSelector = defaultSelectors.get(name);
  if (set === undefined) return clusterSelector ? created(name, clusterSelector) : nothingToDo;
  if (set.metadata.deletionTimestamp !== undefined) return nothingToDo;
  if (clusterSelector && !isEdited(set) && !isSame(set.spec.clusterSelector, clusterSelector)) {
    const object: ManagedClusterSet = { ...set, spec: { ...set.spec, clusterSelector } };
    return { steps: [[{ verb: 'update', kind: managedClusterSets, object }]] };
  }
  const conditions = withCondition(set.status?.conditions ?? [], emptiness(size), now);
  const object: ManagedClusterSet = { ...set, status: { ...set.status, conditions } };
  return { steps: [[{ verb: 'update', kind: managedClusterSets, object, subresource: 'status' }]] };
}

function created(name: string, clusterSelector: ManagedClusterSelector): Plan {
  const { kind } = managedClusterSets;
  const apiVersion = apiVersionOf(managedClusterSets);
  const object: ManagedClusterSet = { apiVersion, kind, metadata: { name }, spec: { clusterSelector } };
  return { steps: [[{ verb: 'create', kind: managedClusterSets, object }]] };
}

/** Users turn the correction of a selector off. */
function isEdited({ metadata: { annotations = {} } }: Readonly<ManagedClusterSet>): boolean {
  return Object.hasOwn(annotations, autoUpdateAnnotation) && annotations[autoUpdateAnnotation] === 'false';
}

function isSame(one: ManagedClusterSelector, other: ManagedClusterSelector): boolean {
  return jsonEquals(one, other);
}

function emptiness(size: number): ConditionState {
  const type = clusterSetConditions.empty;
  if (size === 0) {
    return { type, status: 'True', reason: clusterSetReasons.noMatch, message: 'No ManagedCluster selected' };
  }
  return { type, status: 'False', reason: clusterSetReasons.selected, message: `${size} ManagedClusters selected` };
}
