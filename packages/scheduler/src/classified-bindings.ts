import type { Binding, ClusterDecision } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import type { ClusterView } from './cluster-view.ts';

type Bindings = readonly Readonly<Binding>[];

/** The bindings of a placement by what a decision does with them, each list in the order of their names. */
export interface ClassifiedBindings {
  /** Being deleted. */
  readonly deleting: Bindings;
  /** Given up earlier, not deleted yet: they come back if their cluster is chosen again. */
  readonly unscheduled: Bindings;
  /** Their cluster is gone, or no candidate any more. */
  readonly dangling: Bindings;
  /** Of an earlier policy snapshot. */
  readonly obsolete: Bindings;
  /** Of the current policy snapshot. */
  readonly scheduled: Bindings;
  readonly bound: Bindings;
}

/**
 * A cluster that is leaving keeps its bindings until it is gone: leaving leaves the resources where they are, and giving up a
 * binding would delete them. KubeFleet gives them up in the next decision that happens to be made. Bindings of an earlier
 * snapshot are left alone then.
 */
export function classifyBindings(
  bindings: Bindings,
  view: ClusterView,
  policySnapshotName: string,
  candidates?: ReadonlySet<string>,
): ClassifiedBindings {
  const classes = {
    deleting: [] as Readonly<Binding>[],
    unscheduled: [] as Readonly<Binding>[],
    dangling: [] as Readonly<Binding>[],
    obsolete: [] as Readonly<Binding>[],
    scheduled: [] as Readonly<Binding>[],
    bound: [] as Readonly<Binding>[],
  };
  for (const binding of bindings.toSorted(byName)) {
    const { state, targetCluster, schedulingPolicySnapshotName } = binding.spec;
    const row = view.row(targetCluster);
    if (binding.metadata.deletionTimestamp !== undefined) classes.deleting.push(binding);
    else if (state === 'Unscheduled') classes.unscheduled.push(binding);
    else if (row === undefined || isGivenUp(row, candidates)) classes.dangling.push(binding);
    else if (schedulingPolicySnapshotName === policySnapshotName)
      classes[state === 'Bound' ? 'bound' : 'scheduled'].push(binding);
    else if (!row.isLeaving) classes.obsolete.push(binding);
  }
  return classes;
}

function isGivenUp({ name, isLeaving }: ClusterRow, candidates: ReadonlySet<string> | undefined): boolean {
  return candidates !== undefined && !isLeaving && !candidates.has(name);
}

export function decisionsOf(bindings: Bindings): ClusterDecision[] {
  return bindings.map(({ spec }) => spec.clusterDecision);
}

function byName(a: Readonly<Binding>, b: Readonly<Binding>): number {
  return compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}
