import { families, type PlacementFamily, type UpdateRun } from '@flotilla/api';
import { humanDuration } from '@flotilla/kube';
import type { NamespaceFlag, OutputFlag } from '../../session/hub-flags.ts';
import { printList } from '../../terminal/print-list.ts';
import type { Column } from '../../terminal/table.ts';
import { nowIn, type Session } from '../../session/session.ts';
import { hasEnded, progressOf, type RunProgress } from '../../placement-view/run-progress.ts';

export interface ListRunsFlags extends NamespaceFlag, OutputFlag {
  readonly active?: boolean;
}

/** Lists the update runs of both families, oldest first, or those of a namespace. */
export async function listRuns(session: Session, flags: ListRunsFlags): Promise<void> {
  const { hub, signal } = session;
  const { namespace, active } = flags;
  const now = nowIn(session);
  const listed = families.filter(({ scope }) => namespace === undefined || scope === 'Namespaced');
  const found = await Promise.all(
    listed.map(async (family) => {
      const { items } = await hub.list(family.updateRun, { signal, ...(namespace !== undefined && { namespace }) });
      return items.filter((run) => !(active && hasEnded(run))).map((run) => rowOf(family, run, now));
    }),
  );
  const rows = found.flat().sort((a, b) => a.created.localeCompare(b.created));
  printList(session, rows, columnsAt(now), { ...flags, whenEmpty: 'No update runs found.' });
}

export interface RunRow extends RunProgress {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly placement: string;
  readonly strategy: string;
  /** Index of the resource snapshot that the clusters get; empty while it is not known. */
  readonly resourceSnapshotIndex: string;
  readonly created: string;
}

function rowOf({ updateRun }: PlacementFamily, run: UpdateRun, now: Date): RunRow {
  const { metadata, spec, status } = run;
  return {
    kind: updateRun.kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name ?? '',
    placement: spec.placementName,
    strategy: spec.stagedRolloutStrategyName,
    resourceSnapshotIndex: status?.resourceSnapshotIndexUsed ?? spec.resourceSnapshotIndex ?? '',
    created: metadata.creationTimestamp ?? '',
    ...progressOf(run, now),
  };
}

export function columnsAt(now: Date): readonly Column<RunRow>[] {
  return [
    ['NAMESPACE', ({ namespace = '' }) => namespace],
    ['NAME', ({ name }) => name],
    ['PLACEMENT', ({ placement }) => placement],
    ['SNAPSHOT', (row) => row.resourceSnapshotIndex],
    ['STATE', ({ state }) => state],
    ['STAGE', ({ stage }) => stage],
    ['CLUSTERS', ({ updated, clusters }) => (clusters === 0 ? '' : `${updated}/${clusters}`)],
    ['AGE', ({ created }) => humanDuration(now.getTime() - Date.parse(created))],
    ['WAITING FOR', ({ waitingFor }) => waitingFor.join(', ')],
    ['MESSAGE', ({ message }) => message],
  ];
}
