/** What a change of a MemberCluster means for scheduling, as values of the index of policy snapshots. */
import {
  conditionOf,
  memberClusterConditions,
  resourcePropertyPrefix,
  type MemberCluster,
  type ResourceUsage,
} from '@flotilla/api';
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import { healthOf, ineligibility, type EligibilityTimeouts } from '@flotilla/scheduler';
import { dependency } from './policy-dependencies.ts';

type Cluster = Readonly<MemberCluster>;

export interface ChangeOptions {
  readonly timeouts: EligibilityTimeouts;
  /** Whether rules of users run, which may depend on anything. */
  readonly hasPlugins?: boolean;
}

/**
 * The dependencies that the change concerns; none for a heartbeat. A cluster that only gets worse concerns none: placements
 * keep the clusters that they have.
 */
export function changedDependencies(
  now: Cluster | undefined,
  old: Cluster | undefined,
  { timeouts, hasPlugins = false }: ChangeOptions,
  time: number,
): ReadonlySet<string> {
  const changed = new Set<string>();
  const isEligible = (cluster: Cluster): boolean => ineligibility(healthOf(cluster), timeouts, time) === undefined;
  // As seen now: time alone makes no cluster eligible, so that a decision before this change has found it ineligible, too.
  const hasBecomeEligible = now !== undefined && isEligible(now) && !(old !== undefined && isEligible(old));
  if (now === undefined || hasBecomeEligible) changed.add(dependency.anyCluster);
  if (now === undefined || old === undefined || hasBecomeEligible) {
    changed.add(dependency.cluster((now ?? old)?.metadata.name ?? ''));
  }
  if (now === undefined || old === undefined) return changed;
  if (hasLostTaint(now, old)) changed.add(dependency.anyCluster);
  addAll(changed, dependency.label, differences(now.metadata.labels, old.metadata.labels));
  addProperties(changed, now, old);
  addNamespaces(changed, now, old);
  if (hasPlugins && (changed.size > 0 || !jsonEquals(readByPlugins(now), readByPlugins(old)))) {
    changed.add(dependency.anyCluster);
  }
  return changed;
}

/** What plugins may read beside that. Not the times of heartbeats and properties: they change all the time. */
function readByPlugins({ metadata: { annotations = {} }, spec }: Cluster): JsonValue {
  return [annotations, { ...spec }];
}

function addAll(changed: Set<string>, dependencyOn: (name: string) => string, names: readonly string[]): void {
  for (const name of names) changed.add(dependencyOn(name));
}

function hasLostTaint(now: Cluster, old: Cluster): boolean {
  const { taints = [] } = now.spec;
  return (old.spec.taints ?? []).some((before) => !taints.some((taint) => jsonEquals(taint, before)));
}

function addProperties(changed: Set<string>, now: Cluster, old: Cluster): void {
  const values = ({ status }: Cluster) => status?.properties;
  addAll(
    changed,
    dependency.property,
    differences(values(now), values(old), (one, other) => one.value === other.value),
  );
  for (const [prefix, usage] of usages) {
    const names = differences(now.status?.resourceUsage?.[usage], old.status?.resourceUsage?.[usage]);
    addAll(changed, (name) => dependency.property(`${resourcePropertyPrefix}${prefix}-${name}`), names);
  }
}

/** How a property names a part of the resource usage. */
const usages: readonly (readonly [string, Exclude<keyof ResourceUsage, 'observationTime'>])[] = [
  ['total', 'capacity'],
  ['allocatable', 'allocatable'],
  ['available', 'available'],
];

function addNamespaces(changed: Set<string>, now: Cluster, old: Cluster): void {
  const isReporting = ({ status }: Cluster): boolean =>
    conditionOf(status?.conditions, memberClusterConditions.namespaceCollectionSucceeded) !== undefined;
  const hasList = ({ status }: Cluster): boolean => status?.namespaces !== undefined;
  if (isReporting(now) !== isReporting(old) || hasList(now) !== hasList(old)) changed.add(dependency.anyCluster);
  addAll(
    changed,
    dependency.namespace,
    differences(now.status?.namespaces, old.status?.namespaces, () => true),
  );
}

/** The keys that only one of the two has, or that differ. */
function differences<T extends JsonValue>(
  now: Readonly<Record<string, T>> = {},
  old: Readonly<Record<string, T>> = {},
  isSame: (one: T, other: T) => boolean = (one, other) => one === other,
): string[] {
  const found = Object.keys(old).filter((key) => !Object.hasOwn(now, key));
  for (const [key, value] of Object.entries(now)) {
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    if (before === undefined || !isSame(value, before)) found.push(key);
  }
  return found;
}
