/** What a run does with the binding of one cluster, and how far that cluster has come. */
import {
  bindingConditions,
  bindingReasons,
  resourceSnapshotName,
  type Binding,
  type ClusterUpdatingStatus,
  type UpdateRunStatus,
} from '@flotilla/api';
import { jsonEquals } from '@flotilla/kube';
import { currentCondition, hasFailed, statusNow } from '../family/binding-progress.ts';
import { changed, isSameStrategy, reported, reportedAfterChange, startedBy } from '../rollout/binding-writes.ts';
import type { RunPass } from './run-pass.ts';

/** Whether the binding names what the run wants for the cluster. */
export function isInSync(pass: RunPass, cluster: ClusterUpdatingStatus, { spec }: Readonly<Binding>): boolean {
  const { appliedStrategy } = pass.draft.status;
  return (
    spec.resourceSnapshotName === snapshotOf(pass) &&
    jsonEquals(spec.clusterResourceOverrideSnapshots ?? [], cluster.clusterResourceOverrideSnapshots ?? []) &&
    jsonEquals(spec.resourceOverrideSnapshots ?? [], cluster.resourceOverrideSnapshots ?? []) &&
    appliedStrategy !== undefined &&
    isSameStrategy(spec.applyStrategy, appliedStrategy)
  );
}

/** Whether the works controller works on what the run wants. */
export function isRolledOut(pass: RunPass, cluster: ClusterUpdatingStatus, binding: Readonly<Binding>): boolean {
  return (
    binding.spec.state === 'Bound' &&
    statusNow(binding, bindingConditions.rolloutStarted) === 'True' &&
    isInSync(pass, cluster, binding)
  );
}

/** Whether the binding has what the run wants, and does not say so: the hub was killed in between, or works did not get to it. */
export function isUnsaid(pass: RunPass, cluster: ClusterUpdatingStatus, binding: Readonly<Binding>): boolean {
  const isBound = binding.spec.state === 'Bound' && isInSync(pass, cluster, binding);
  return isBound && currentCondition(binding, bindingConditions.rolloutStarted) === undefined;
}

/** Gives the binding what the run wants, as far as it does not have it yet. */
export function rollOut(pass: RunPass, cluster: ClusterUpdatingStatus, binding: Readonly<Binding>): void {
  const { family, run, settings } = pass.state;
  const { now, status } = pass.draft;
  const { name = '' } = run.metadata;
  const report = { isStarted: true, byRun: { name, index: run.spec.resourceSnapshotIndex ?? '' } } as const;
  if (isInSync(pass, cluster, binding) && binding.spec.state === 'Bound') {
    for (const write of reported(family, binding, report, now)) pass.write(write);
    return;
  }
  const { clusterResourceOverrideSnapshots = [], resourceOverrideSnapshots = [] } = cluster;
  const overrides = { clusterResourceOverrideSnapshots, resourceOverrideSnapshots };
  const [change] = changed(family, binding, {
    ...(status.appliedStrategy && { applyStrategy: status.appliedStrategy }),
    resources: { latest: snapshotOf(pass), overrides },
    addsFinalizer: settings.isWithWorks,
  });
  if (change === undefined) return;
  if (settings.isWithWorks) pass.start(change, startedBy(change, binding, report, now));
  else pass.write(change, reportedAfterChange(family, binding, report, now));
}

function snapshotOf({ state, draft }: RunPass): string {
  return resourceSnapshotName(state.run.spec.placementName, indexIn(draft.status));
}

function indexIn({ resourceSnapshotIndexUsed = '0' }: UpdateRunStatus): number {
  return Number(resourceSnapshotIndexUsed);
}

export type ClusterOutcome = 'succeeded' | 'failed' | 'under way';

/** Resources that cannot be tracked count as available. KubeFleet counts a cluster that still applies as failed. */
export function outcomeOf(binding: Readonly<Binding>): ClusterOutcome {
  const report = currentCondition(binding, bindingConditions.diffReported);
  if (statusNow(binding, bindingConditions.available) === 'True' || report?.status === 'True') return 'succeeded';
  const hasNoReport = report?.status === 'False' && report.reason !== bindingReasons.diffReportInProgress;
  return hasNoReport || hasFailed(binding) ? 'failed' : 'under way';
}
