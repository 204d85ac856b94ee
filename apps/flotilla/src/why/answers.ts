/** Asks the hub's scheduler again, over the objects that the hub decided by. Pure. */
import type { Binding, MemberCluster, PlacementDecision, PolicySnapshot } from '@flotilla/api';
import { candidateClusters, latestPolicyOf, schedulingRequest } from '@flotilla/controllers/scheduling';
import { Scheduler, type SchedulerPlugin, type SchedulingOutcome, type Verdict } from '@flotilla/scheduler';
import { placementText, type FoundPlacement } from '../placement-view/find-placement.ts';
import { UserError } from '../user-error.ts';
import { answerOn, type ClusterAnswer } from './cluster-answer.ts';

/** All that a decision of the scheduler depends on. */
export interface WhyInputs extends FoundPlacement {
  readonly policySnapshots: readonly PolicySnapshot[];
  readonly bindings: readonly Binding[];
  readonly clusters: readonly MemberCluster[];
  /** Of the OCM Placement that the placement takes its candidates from. */
  readonly placementDecisions: readonly PlacementDecision[];
}

export { candidateSource } from '@flotilla/controllers/scheduling';

export interface WhyAnswers {
  /** `ClusterResourcePlacement web`. */
  readonly placement: string;
  readonly placementType: string;
  readonly policySnapshot: string;
  /** KubeFleet's sentence. */
  readonly scheduled: string;
  /** Chosen clusters first, then those that would be chosen next, by name otherwise. */
  readonly clusters: readonly ClusterAnswer[];
}

export function whyAnswers(inputs: WhyInputs, plugins: readonly SchedulerPlugin[], now: Date): WhyAnswers {
  const snapshot = latestPolicyOf(inputs.placement, inputs.policySnapshots);
  if (snapshot === undefined) {
    throw new UserError(
      `the hub has not looked at ${placementText(inputs)} yet: it has no policy snapshot. Is a hub running?`,
    );
  }
  const candidates = candidateClusters(inputs.placement, () => inputs.placementDecisions);
  const outcome = new Scheduler({ plugins }).schedule(schedulingRequest(snapshot, { ...inputs, candidates }, now));
  return {
    placement: placementText(inputs),
    placementType: policyIn(snapshot).placementType,
    policySnapshot: snapshot.metadata.name ?? '',
    scheduled: [outcome.condition.message, candidates?.problem].filter((text) => text !== undefined).join('; '),
    clusters: answersOf(snapshot, inputs.bindings, outcome),
  };
}

const order: readonly ClusterAnswer['chosen'][] = ['yes', 'next', 'no'];

function answersOf(
  snapshot: Readonly<PolicySnapshot>,
  bindings: readonly Binding[],
  outcome: SchedulingOutcome,
): ClusterAnswer[] {
  // Made once, and read twice.
  const verdicts = [...outcome.verdicts];
  const current = bindings.filter(({ spec }) => spec.schedulingPolicySnapshotName === snapshot.metadata.name);
  const byCluster = new Map(current.map((binding) => [binding.spec.targetCluster, binding]));
  const recorded = new Map((snapshot.status?.targetClusters ?? []).map((one) => [one.clusterName, one]));
  // With constraints the spread comes first, and scores of different choices cannot be compared.
  const isSpread = (snapshot.spec.policy?.topologySpreadConstraints ?? []).length > 0;
  const lowestScore = isSpread ? undefined : lowestScoreOf([...byCluster.values()], verdicts);
  const policy = { ...policyIn(snapshot), lowestScore };
  const answers = verdicts.map((verdict) =>
    answerOn(verdict, policy, {
      binding: byCluster.get(verdict.cluster),
      decision: recorded.get(verdict.cluster),
    }),
  );
  const place = ({ verdict }: ClusterAnswer): number => verdict.place ?? Infinity;
  return answers.sort(
    (a, b) =>
      order.indexOf(a.chosen) - order.indexOf(b.chosen) ||
      (place(a) === place(b) ? 0 : place(a) - place(b)) ||
      (a.cluster < b.cluster ? -1 : 1),
  );
}

/** Of clusters that are chosen, or would be now. */
function lowestScoreOf(bindings: readonly Binding[], verdicts: Iterable<Verdict>): number | undefined {
  let lowest = Infinity;
  for (const { spec } of bindings)
    lowest = Math.min(lowest, spec.clusterDecision.clusterScore?.affinityScore ?? Infinity);
  for (const { outcome, score } of verdicts)
    if (outcome === 'Picked' && score) lowest = Math.min(lowest, score.affinity);
  return Number.isFinite(lowest) ? lowest : undefined;
}

function policyIn({ spec: { policy } }: Readonly<PolicySnapshot>) {
  return { placementType: policy?.placementType ?? ('PickAll' as const) };
}
