import {
  ocmPlacements,
  withCondition,
  type Condition,
  type OcmPlacement,
  type OcmPlacementStatus,
} from '@flotilla/api';
import { formatTime, type JsonObject } from '@flotilla/kube';
import {
  groupClusters,
  misconfiguredCondition,
  satisfiedCondition,
  settledScores,
  type ClusterGroup,
  type PlacementOutcome,
  type PlacementScheduler,
  type Problem,
} from '@flotilla/ocm';
import type { Plan, Write } from '@flotilla/runtime';
import { decisionSteps } from './decision-writes.ts';
import { decisionEvents, scoreEvents } from './placement-events.ts';
import { chosenIn, type PlacementState } from './placement-state.ts';
import { changeOf, scoreWaitMs } from './score-limit.ts';
import { wantedDecisions } from './wanted-decisions.ts';

/** Its name is the value of a label on its PlacementDecisions. */
const maxName = 63;

/** A timer is at most this long; then the Placement is decided again. */
const maxWaitMs = 24 * 3_600_000;

/** Turns the outcome of the scheduler into PlacementDecisions and the status of the Placement. */
export function decidePlacement(state: PlacementState, scheduler: PlacementScheduler, now: Date): Plan {
  const { placement, decisions: existing } = state;
  const { name = '' } = placement.metadata;
  const chosen = chosenIn(existing);
  const outcome = scheduler.schedule({ ...state, chosen, now });
  // The scheduler has used up its turn, and continues in the next.
  if (outcome === undefined) return { steps: [], requeueAfterMs: 0 };
  const { groups, problem } = grouped(state, outcome);
  const wanted = wantedDecisions(name, groups);
  const change = changeOf(wanted.objects, existing);
  const waitMs = change === 'scores' ? scoreWaitMs(placement, now) : 0;
  const isWritten = change !== 'none' && waitMs === 0;
  const events = decisionEvents(placement, problem);
  const status: OcmPlacementStatus = {
    numberOfSelectedClusters: outcome.selected.length,
    decisionGroups: [...wanted.groups],
    conditions: conditionsOf(state, outcome, problem, now),
    ...(isWritten && { lastScoreUpdateTime: formatTime(now) }),
  };
  return {
    steps: [
      ...(isWritten ? decisionSteps(placement, wanted.objects, existing, events) : []),
      [statusWrite(placement, status)],
    ],
    ...(isWritten && { events: scoreEvents(placement, outcome.ranked) }),
    ...requeue(outcome.changesAt, waitMs, now),
  };
}

function grouped(
  { placement, spec }: PlacementState,
  outcome: PlacementOutcome,
): { readonly groups: readonly ClusterGroup[]; readonly problem: Problem | undefined } {
  const misconfigured = (message: string): Problem => ({ code: 'Misconfigured', plugin: '', message });
  if ((placement.metadata.name ?? '').length > maxName) {
    return { groups: [], problem: misconfigured(`metadata.name must be no more than ${maxName} characters`) };
  }
  const { groups, problem } = groupClusters(spec, settledScores(outcome));
  return { groups, problem: problem === undefined ? outcome.problem : misconfigured(problem) };
}

function conditionsOf(
  { placement, spec, boundSets, eligibleSets, clusters }: PlacementState,
  { selected, unscheduled }: PlacementOutcome,
  problem: Problem | undefined,
  now: Date,
): Condition[] {
  const misconfigured = misconfiguredCondition(problem);
  const satisfied = satisfiedCondition({
    requestedSets: spec.clusterSets ?? [],
    eligibleSets,
    bindings: boundSets.length,
    available: clusters.length,
    selected: selected.length,
    unscheduled,
    problem,
  });
  const before = placement.status?.conditions ?? [];
  return withCondition(withCondition(before, misconfigured, now), satisfied, now);
}

/** The runtime skips it if nothing changes. */
function statusWrite({ metadata }: Readonly<OcmPlacement>, status: OcmPlacementStatus): Write {
  const { namespace, name = '', uid, resourceVersion } = metadata;
  const version: JsonObject = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    verb: 'patch',
    kind: ocmPlacements,
    key: { namespace, name },
    patch: { metadata: version, status },
    subresource: 'status',
  };
}

function requeue(changesAt: number | undefined, waitMs: number, now: Date): Pick<Plan, 'requeueAfterMs'> {
  const waits = [
    ...(waitMs > 0 ? [waitMs] : []),
    ...(changesAt === undefined ? [] : [Math.max(1, changesAt - now.getTime())]),
  ];
  return waits.length === 0 ? {} : { requeueAfterMs: Math.min(maxWaitMs, ...waits) };
}
