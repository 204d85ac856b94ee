/** The runs that `rollback` and `rerun` create. */
import { onlyClustersAnnotation, type PlacementFamily, type UpdateRun } from '@flotilla/api';
import { apiVersionOf, trimRight } from '@flotilla/kube';
import { UserError } from '../../user-error.ts';
import { hasEnded, progressOf, touchedClusters } from '../../placement-view/run-progress.ts';

/** The server refuses longer names of runs. */
const maxNameLength = 63;

export interface RollbackWishes {
  /** Indexes of the resource snapshots that the placement has. */
  readonly indexes: readonly number[];
  /** All runs of the same kind and namespace. */
  readonly runs: readonly UpdateRun[];
  readonly toIndex?: number;
  readonly name?: string;
}

/** Takes the clusters that a run has changed back to the snapshot before, with the same strategy. Throws a UserError. */
export function reverseRun(family: PlacementFamily, run: UpdateRun, wishes: RollbackWishes): UpdateRun {
  const clusters = touchedClusters(run);
  if (clusters.length === 0)
    throw new UserError(`the run ${titleOf(run)} has updated no cluster; nothing to roll back.`);
  checkAtRest(run);
  return runLike(family, run, {
    name: wishes.name ?? withSuffix(run.metadata.name ?? '', '-rollback'),
    index: String(wishes.toIndex ?? indexBefore(run, wishes)),
    onlyClusters: clusters.join(','),
  });
}

/** The next run of the same placement and strategy, for the same clusters if the run was limited to some. Throws a UserError. */
export function repeatedRun(
  family: PlacementFamily,
  run: UpdateRun,
  { names, name }: { readonly names: ReadonlySet<string>; readonly name?: string },
): UpdateRun {
  checkAtRest(run);
  const { annotations = {} } = run.metadata;
  const only = Object.hasOwn(annotations, onlyClustersAnnotation) ? annotations[onlyClustersAnnotation] : undefined;
  return runLike(family, run, {
    name: name ?? nextName(run.metadata.name ?? '', names),
    index: run.spec.resourceSnapshotIndex,
    onlyClusters: only,
  });
}

interface Differences {
  readonly name: string;
  readonly index: string | undefined;
  readonly onlyClusters: string | undefined;
}

function runLike(
  { updateRun }: PlacementFamily,
  run: UpdateRun,
  { name, index, onlyClusters }: Differences,
): UpdateRun {
  const { namespace } = run.metadata;
  const { placementName, stagedRolloutStrategyName } = run.spec;
  return {
    apiVersion: apiVersionOf(updateRun),
    kind: updateRun.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...(onlyClusters !== undefined && { annotations: { [onlyClustersAnnotation]: onlyClusters } }),
    },
    spec: {
      placementName,
      stagedRolloutStrategyName,
      ...(index !== undefined && { resourceSnapshotIndex: index }),
      state: 'Run',
    },
  };
}

/**
 * What the run before has rolled out, if it is known: the snapshot with the next lower index may be one that was rolled back, or that no
 * cluster ever had.
 */
function indexBefore(run: UpdateRun, { indexes, runs }: RollbackWishes): number {
  const used = indexOf(run);
  const { placementName } = run.spec;
  const rolledOut = runs
    .filter(
      ({ metadata, spec }) => spec.placementName === placementName && createdAt(metadata) < createdAt(run.metadata),
    )
    .filter((one) => touchedClusters(one).length > 0 && indexOf(one) !== used && indexes.includes(indexOf(one)))
    .sort((a, b) => createdAt(b.metadata).localeCompare(createdAt(a.metadata)));
  const [last] = rolledOut;
  if (last !== undefined) return indexOf(last);
  const lower = indexes.filter((index) => index < used);
  if (lower.length > 0) return Math.max(...lower);
  const others = indexes.filter((index) => index !== used).sort((a, b) => a - b);
  const hint = others.length === 0 ? '' : `; choose one of ${others.join(', ')} with --to-index`;
  throw new UserError(`the placement ${placementName} has no resource snapshot before ${used}${hint}.`);
}

function indexOf({ spec, status }: UpdateRun): number {
  return Number(status?.resourceSnapshotIndexUsed ?? spec.resourceSnapshotIndex);
}

function createdAt({ creationTimestamp }: UpdateRun['metadata']): string {
  return creationTimestamp ?? '';
}

/** Two runs of one placement would take clusters from each other. */
function checkAtRest(run: UpdateRun): void {
  if (hasEnded(run) || progressOf(run, new Date(0)).state === 'Stopped') return;
  const { namespace } = run.metadata;
  const where = namespace === undefined ? '' : ` -n ${namespace}`;
  const patch = `--type merge -p '{"spec":{"state":"Stop"}}'`;
  const command = `kubectl patch ${run.kind.toLowerCase()} ${run.metadata.name}${where} ${patch}`;
  throw new UserError(`the run ${titleOf(run)} is still under way; wait for it, or stop it first with: ${command}`);
}

/** `web`, `web-2`, `web-3`. */
function nextName(name: string, taken: ReadonlySet<string>): string {
  const base = name.replace(/-\d{1,6}$/, '');
  const number = Number(name.slice(base.length + 1));
  for (let next = number + 1 || 2; ; next++) {
    const candidate = withSuffix(base, `-${Math.max(2, next)}`);
    if (!taken.has(candidate)) return candidate;
  }
}

function withSuffix(name: string, suffix: string): string {
  return `${trimRight(name.slice(0, maxNameLength - suffix.length), '-.')}${suffix}`;
}

function titleOf({ metadata: { namespace, name = '' } }: UpdateRun): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
