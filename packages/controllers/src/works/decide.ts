import { bindingConditions, workFinalizer, type Binding } from '@flotilla/api';
import { errorMessage } from '@flotilla/kube';
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { statusNow } from '../family/binding-progress.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import { failureReport, statusWrite, syncedReport } from './binding-status.ts';
import { collectReport } from './collect-report.ts';
import { removeWorks } from './remove-works.ts';
import type { SyncFailure } from './sync-failure.ts';
import { syncWorks } from './sync-works.ts';
import { isReported } from './work-report.ts';
import type { WorksState } from './works-state.ts';

/**
 * A member that is well answers sooner. Only after this time a binding gets a status that says that its resources are being applied: for
 * most bindings that write would be one too many. It waits longer while other members report, since then the fleet is busy.
 */
export const unreportedMs = 3_000;

/** A snapshot that is not visible yet, or an agent that still deletes what an earlier binding placed, is no failure for this long. */
const expectedWaitMs = 5_000;

/**
 * Whether there is something to do for a binding: Works are made when the rollout controller has decided about its generation, since
 * before that its spec may change again. One that is to be removed is served until it is deleted.
 */
export function isServed(binding: Readonly<Binding>): boolean {
  if (binding.metadata.deletionTimestamp !== undefined) return true;
  const rollout = statusNow(binding, bindingConditions.rolloutStarted);
  const { state } = binding.spec;
  return state === 'Unscheduled' || (state === 'Bound' && (rollout === 'True' || rollout === 'False'));
}

/** A plan after which the binding is looked at again when other members no longer report. */
export interface WorksPlan extends Plan {
  readonly awaitsReports?: boolean;
}

export function decideWorks(state: WorksState, isClusterScoped: IsClusterScoped, now: Date): WorksPlan {
  const { family, binding, cluster } = state;
  const { namespace, name = '', resourceVersion = '', finalizers = [], deletionTimestamp } = binding.metadata;
  if (deletionTimestamp !== undefined) return removeWorks(state);
  if (!isServed(binding)) return nothingToDo;
  // A member that leaves gets nothing new: its namespace is about to go. There will be no report that says that the rollout has started.
  if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined)
    return { steps: [[{ verb: 'update', kind: family.binding, object: binding, subresource: 'status' }]] };
  if (!finalizers.includes(workFinalizer)) {
    const patch = { metadata: { resourceVersion, finalizers: [...finalizers, workFinalizer] } };
    return { steps: [[{ verb: 'patch', kind: family.binding, key: { namespace, name }, patch }]] };
  }
  return decideSync(state, isClusterScoped, now);
}

function decideSync(state: WorksState, isClusterScoped: IsClusterScoped, now: Date): WorksPlan {
  const { family, binding } = state;
  const { writes, failure } = syncWorks(state, isClusterScoped);
  if (failure !== undefined) {
    const waitMs = (failure.waitingSince ?? Number.NEGATIVE_INFINITY) + expectedWaitMs - now.getTime();
    if (waitMs > 0) return { steps: [writes], requeueAfterMs: waitMs };
    return { steps: [writes, [failureWrite(state, failure, now)]] };
  }
  if (writes.length > 0) {
    return {
      steps: [writes],
      ...whenUnreported(state),
      refused: (error) => {
        const refusal: SyncFailure = { step: 'WorkSynchronized', message: errorMessage(error) };
        return { steps: [[failureWrite(state, refusal, now)]] };
      },
    };
  }
  const live = state.works.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (state.mayWaitMs !== undefined && !live.every(isReported)) return { steps: [], ...whenUnreported(state) };
  const report = syncedReport(binding, collectReport(binding, live));
  return { steps: [[statusWrite(family, binding, report, now)]] };
}

/** When to look again if there is no report. */
function whenUnreported({ mayWaitMs }: WorksState): Pick<WorksPlan, 'requeueAfterMs' | 'awaitsReports'> {
  return mayWaitMs === undefined
    ? { requeueAfterMs: unreportedMs }
    : { requeueAfterMs: mayWaitMs, awaitsReports: true };
}

/** Its event is recorded only if the status changes. */
function failureWrite({ family, binding }: WorksState, failure: SyncFailure, now: Date) {
  const write = statusWrite(family, binding, failureReport(binding, failure), now);
  return failure.event === undefined ? write : { ...write, event: failure.event };
}
