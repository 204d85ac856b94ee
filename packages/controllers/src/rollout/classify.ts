/** What the bindings of a placement are to a rollout. */
import { previousBindingStateAnnotation, type Binding } from '@flotilla/api';
import { hasDiffReport, hasFailed, isReportedUnready } from '../family/binding-progress.ts';
import type { OverrideNames } from '../overrides/matching-overrides.ts';
import { readinessOf, type Readiness } from './readiness.ts';
import { haveChanged, wantedFor, type WantedOverrides } from './wanted-overrides.ts';

/** A binding, and the overrides that its cluster gets with the latest resources. */
export interface Change {
  readonly binding: Readonly<Binding>;
  readonly overrides: OverrideNames;
}

/** All lists have the order of the bindings. */
export interface Classified {
  /** Clusters that the scheduler has chosen. */
  readonly chosen: number;
  /** Bindings of any state. */
  readonly all: number;
  readonly ready: number;
  /** Those of the chosen clusters that will keep the resources. */
  readonly readyToStay: number;
  /** Clusters that have the resources or may get them at any time. Those that have failed do not count. */
  readonly mayBeReady: number;
  /** Ready ones whose deletion has begun. */
  readonly readyButLeaving: number;
  /** Bindings to delete. */
  readonly leaving: readonly Readonly<Binding>[];
  /** Others to delete, which are known to lack the resources: without them, nothing is lost. */
  readonly unreadyLeaving: readonly Readonly<Binding>[];
  readonly toBind: readonly Change[];
  readonly toUpdate: readonly Change[];
  /** Bindings to update that have failed: that makes nothing worse. */
  readonly failedToUpdate: readonly Change[];
  readonly upToDate: readonly Readonly<Binding>[];
  /** When the first of those becomes ready that time alone makes ready. */
  readonly readyInMs: number | undefined;
}

export interface ClassifyOptions {
  /** The first resource snapshot of the latest group. */
  readonly latest: string;
  readonly overrides: WantedOverrides;
  readonly unavailablePeriodMs: number;
  readonly now: Date;
}

export function classify(bindings: readonly Readonly<Binding>[], options: ClassifyOptions): Classified {
  const standings = bindings.map((binding) => standingOf(binding, options));
  const inRole = (role: Role) => standings.filter((one) => one.role === role);
  const bindingsWith = (role: Role) => inRole(role).map(({ binding }) => binding);
  const changesWith = (role: Role) =>
    inRole(role).flatMap(({ binding, wanted }) => (wanted === undefined ? [] : [{ binding, overrides: wanted }]));
  const count = (isCounted: (standing: Standing) => boolean) => standings.filter(isCounted).length;
  const waits = standings.flatMap(({ readyInMs }) => readyInMs ?? []);
  return {
    chosen: count(({ state }) => state === 'Scheduled' || state === 'Bound'),
    all: bindings.length,
    ready: count(({ isReady }) => isReady),
    readyToStay: count(({ state, isReady, isDeleting }) => state === 'Bound' && isReady && !isDeleting),
    mayBeReady: count(({ mayBeReady }) => mayBeReady),
    readyButLeaving: count(({ isReady, isDeleting }) => isReady && isDeleting),
    leaving: bindingsWith('leaving'),
    unreadyLeaving: bindingsWith('unready leaving'),
    toBind: changesWith('to bind'),
    toUpdate: changesWith('to update'),
    failedToUpdate: changesWith('failed to update'),
    upToDate: bindingsWith('up to date'),
    readyInMs: waits.length === 0 ? undefined : waits.reduce((a, b) => Math.min(a, b)),
  };
}

type Role = 'leaving' | 'unready leaving' | 'to bind' | 'to update' | 'failed to update' | 'up to date' | 'unchanged';

/** One binding, seen alone. */
interface Standing extends Readiness {
  readonly binding: Readonly<Binding>;
  readonly state: string;
  readonly isDeleting: boolean;
  readonly mayBeReady: boolean;
  readonly role: Role;
  readonly wanted: OverrideNames | undefined;
}

function standingOf(binding: Readonly<Binding>, options: ClassifyOptions): Standing {
  const { state, targetCluster } = binding.spec;
  const isDeleting = binding.metadata.deletionTimestamp !== undefined;
  const wanted = wantedFor(options.overrides, targetCluster);
  const shared = { binding, state, isDeleting, wanted };
  if (state !== 'Bound' && state !== 'Unscheduled') {
    const role = state === 'Scheduled' && !isDeleting ? 'to bind' : 'unchanged';
    return { ...shared, isReady: false, mayBeReady: false, role };
  }
  const readiness = readinessOf(binding, options.unavailablePeriodMs, options.now);
  const isUntouched = hasNeverBeenBound(binding);
  const isUnready = isUntouched || (isReportedUnready(binding) && !readiness.isReady);
  const isFailed = isUnready && hasFailed(binding);
  const mayBeReady = !isFailed && !isUntouched && !hasDiffReport(binding);
  return {
    ...shared,
    ...readiness,
    mayBeReady,
    role: isDeleting ? 'unchanged' : roleOf(binding, { isUnready, isFailed }, wanted, options),
  };
}

/** Whether the scheduler has withdrawn the cluster before it got anything. */
function hasNeverBeenBound({ metadata: { annotations = {} }, spec }: Readonly<Binding>): boolean {
  const isAnnotated = Object.hasOwn(annotations, previousBindingStateAnnotation);
  const wasScheduled = isAnnotated && annotations[previousBindingStateAnnotation] === 'Scheduled';
  return spec.state === 'Unscheduled' && spec.resourceSnapshotName === '' && wasScheduled;
}

/** A cluster without its MemberCluster keeps what it has: the scheduler will withdraw it. */
function roleOf(
  { spec }: Readonly<Binding>,
  { isUnready, isFailed }: { readonly isUnready: boolean; readonly isFailed: boolean },
  wanted: OverrideNames | undefined,
  { latest, overrides }: ClassifyOptions,
): Role {
  if (spec.state === 'Unscheduled') return isUnready ? 'unready leaving' : 'leaving';
  if (wanted === undefined) return 'unchanged';
  if (spec.resourceSnapshotName === latest && !haveChanged(spec, wanted, overrides)) return 'up to date';
  return isFailed ? 'failed to update' : 'to update';
}
