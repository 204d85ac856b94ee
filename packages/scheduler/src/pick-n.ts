import type { Binding, ClusterDecision } from '@flotilla/api';
import { compareBytes, once } from '@flotilla/kube';
import { crossReference, inWritingOrder, unschedule } from './binding-changes.ts';
import { decisionsOf } from './classified-bindings.ts';
import { limitedDecisions, outscoredDecision, rejectedDecision } from './decisions.ts';
import { Evaluation } from './evaluation.ts';
import { scheduledCondition, type Result, type Scheduling } from './scheduling.ts';
import { Ranking, type RankingOptions } from './spread/ranking.ts';
import { evidenceOn, Verdicts, type Verdict } from './verdicts.ts';

/** Chooses the best clusters until there are N. Clusters that were chosen by the same snapshot stay. */
export function pickN(scheduling: Scheduling): Result {
  const { numberOfClusters: wanted, bindings } = scheduling;
  if (wanted === undefined) return withoutNumber(scheduling);
  const present = bindings.scheduled.length + bindings.bound.length;
  if (wanted > present) return chooseMore(scheduling, wanted, wanted - present);
  if (wanted < present || bindings.obsolete.length > 0) return keepBest(scheduling, wanted, present - wanted);
  return keepAll(scheduling, wanted);
}

function chooseMore(scheduling: Scheduling, wanted: number, missing: number): Result {
  const { policySnapshotName, policy, view, bindings } = scheduling;
  const ranked = rank(scheduling);
  const { evaluation, ranking } = ranked;
  const choices = ranking.choose(missing).map(({ position, score }) => {
    return { cluster: view.rows[position]?.name ?? '', score };
  });
  const reference = crossReference(choices, bindings, policySnapshotName);
  const selected = [
    ...[...reference.created, ...reference.patched].map(({ spec }) => spec.clusterDecision),
    ...decisionsOf(bindings.scheduled),
    ...decisionsOf(bindings.bound),
  ];
  const picked = new Map(choices.map((choice) => [choice.cluster, choice.score]));
  const judge = () => (position: number) => {
    const cluster = view.rows[position]?.name ?? '';
    const score = picked.get(cluster);
    if (score === undefined) return verdictOn(position, ranked);
    const place = ranked.places().get(position);
    return {
      cluster,
      outcome: 'Picked',
      score,
      ...evidenceOn(position, evaluation),
      ...(place !== undefined && { place }),
    } as const;
  };
  return {
    changes: inWritingOrder(reference),
    decisions: limitedDecisions(selected, unselectedDecisions(evaluation, ranking)),
    condition: scheduledCondition(selected.length >= wanted, selected.length, policy.problems),
    verdicts: new Verdicts(view, judge),
  };
}

/** There are more than enough: gives up bindings of earlier snapshots, then those that were never rolled out, the lowest scores first. */
function keepBest(scheduling: Scheduling, wanted: number, surplus: number): Result {
  const { policy, bindings } = scheduling;
  const scheduled =
    surplus < bindings.scheduled.length && surplus > 0 ? sortedByScore(bindings.scheduled) : bindings.scheduled;
  const surplusBound = Math.max(surplus - scheduled.length, 0);
  const bound =
    surplusBound > 0 && surplusBound < bindings.bound.length ? sortedByScore(bindings.bound) : bindings.bound;
  const kept = [...scheduled.slice(surplus), ...bound.slice(surplusBound)];
  return {
    changes: [...bindings.obsolete, ...scheduled.slice(0, surplus), ...bound.slice(0, surplusBound)].map(unschedule),
    decisions: limitedDecisions(decisionsOf(kept), []),
    condition: scheduledCondition(kept.length >= wanted, kept.length, policy.problems),
    verdicts: lazyVerdicts(scheduling),
  };
}

/**
 * There are exactly enough. The clusters that were not selected stay in the status as the last decision reported them, so that a restart
 * of the hub changes nothing. KubeFleet drops them.
 */
function keepAll(scheduling: Scheduling, wanted: number): Result {
  const { policy, view, bindings, previous } = scheduling;
  const unselected = previous.filter(({ selected, clusterName }) => !selected && view.row(clusterName) !== undefined);
  const selected = [...decisionsOf(bindings.bound), ...decisionsOf(bindings.scheduled)];
  return {
    changes: [],
    decisions: limitedDecisions(selected, unselected),
    condition: scheduledCondition(true, wanted, policy.problems),
    verdicts: lazyVerdicts(scheduling),
  };
}

/** The number comes from an annotation, which users can change. Nothing is chosen or given up then. */
function withoutNumber(scheduling: Scheduling): Result {
  const { policy, bindings } = scheduling;
  const kept = [...bindings.scheduled, ...bindings.bound];
  const problem = 'the policy snapshot does not say how many clusters to pick';
  return {
    changes: [],
    decisions: limitedDecisions(decisionsOf(kept), []),
    condition: scheduledCondition(false, kept.length, [problem, ...policy.problems]),
    verdicts: lazyVerdicts(scheduling),
  };
}

interface Ranked {
  readonly evaluation: Evaluation;
  readonly ranking: Ranking;
  /** Positions of clusters with a binding of this snapshot. */
  readonly kept: ReadonlySet<number>;
  /** By position: the smallest number of clusters that would include the cluster. */
  readonly places: () => ReadonlyMap<number, number>;
}

function rank(scheduling: Scheduling): Ranked {
  const { policy, view, bindings, context } = scheduling;
  const evaluation = new Evaluation(policy, view, context);
  const kept = positionsOf([...bindings.scheduled, ...bindings.bound], scheduling);
  const preferred = positionsOf(bindings.obsolete, scheduling);
  const options: RankingOptions = {
    evaluation,
    constraints: policy.constraints,
    isKept: (position) => kept.has(position),
    isPreferred: (position) => preferred.has(position),
  };
  // Choosing N clusters begins with choosing N - 1.
  const places = once(() => {
    const all = new Ranking(options).choose(view.rows.length);
    return new Map(all.map(({ position }, index) => [position, kept.size + index + 1]));
  });
  return { evaluation, ranking: new Ranking(options), kept, places };
}

function positionsOf(bindings: readonly Readonly<Binding>[], { view }: Scheduling): ReadonlySet<number> {
  return new Set(bindings.flatMap(({ spec }) => view.position(spec.targetCluster) ?? []));
}

function* unselectedDecisions(evaluation: Evaluation, ranking: Ranking): Iterable<ClusterDecision> {
  const { rows } = evaluation.view;
  for (const { position, score } of ranking.outscored()) yield outscoredDecision(rows[position]?.name ?? '', score);
  for (const [position, { name }] of rows.entries()) {
    const rejection = evaluation.explain(position) ?? ranking.violation(position);
    if (rejection !== undefined) yield rejectedDecision(name, rejection.reasons);
  }
}

function lazyVerdicts(scheduling: Scheduling): Verdicts {
  const ranked = once(() => rank(scheduling));
  return new Verdicts(scheduling.view, () => (position) => verdictOn(position, ranked()));
}

/** On a cluster that is not picked in this decision. */
function verdictOn(position: number, { evaluation, ranking, kept, places }: Ranked): Verdict {
  const cluster = evaluation.view.rows[position]?.name ?? '';
  const evidence = evidenceOn(position, evaluation);
  if (kept.has(position)) return { cluster, outcome: 'Kept', ...evidence };
  if (evidence.rejection !== undefined) return { cluster, outcome: 'Rejected', ...evidence };
  const place = places().get(position);
  const found = { ...evidence, ...(place !== undefined && { place }) };
  const rejection = ranking.violation(position);
  if (rejection) return { cluster, outcome: 'Rejected', ...found, rejection };
  const score = ranking.scoreOf(position);
  return { cluster, outcome: 'Outscored', ...(score && { score }), ...found };
}

/** The lowest score first, those without a score before all others. */
function sortedByScore(bindings: readonly Readonly<Binding>[]): readonly Readonly<Binding>[] {
  return bindings.toSorted((a, b) => {
    const [left, right] = [a.spec.clusterDecision.clusterScore, b.spec.clusterDecision.clusterScore];
    const order =
      Number(left !== undefined) - Number(right !== undefined) ||
      (left?.priorityScore ?? 0) - (right?.priorityScore ?? 0) ||
      (left?.affinityScore ?? 0) - (right?.affinityScore ?? 0);
    return order || compareBytes(a.spec.targetCluster, b.spec.targetCluster);
  });
}
