import type { ClusterDecision } from '@flotilla/api';
import { crossReference, inWritingOrder, type Choice } from './binding-changes.ts';
import { decisionsOf } from './classified-bindings.ts';
import { limitedDecisions, rejectedDecision, type Score } from './decisions.ts';
import { Evaluation } from './evaluation.ts';
import { scheduledCondition, type Result, type Scheduling } from './scheduling.ts';
import { evidenceOn, Verdicts, type Verdict } from './verdicts.ts';

const noScore: Score = { affinity: 0, spread: 0 };

/** Chooses every cluster that passes the rules. Clusters that were chosen by the same snapshot stay without being looked at. */
export function pickAll({ policySnapshotName, policy, view, bindings, context }: Scheduling): Result {
  const kept = [...bindings.scheduled, ...bindings.bound];
  const keptNames = new Set(kept.map(({ spec }) => spec.targetCluster));
  const evaluation = new Evaluation(policy, view, context);
  const choices: Choice[] = [];
  for (const [position, { name }] of view.rows.entries()) {
    if (evaluation.passes(position) && !keptNames.has(name)) choices.push({ cluster: name, score: noScore });
  }
  const reference = crossReference(choices, bindings, policySnapshotName);
  const selected = [
    ...[...reference.created, ...reference.patched].map(({ spec }) => spec.clusterDecision),
    ...decisionsOf(kept),
  ];
  return {
    changes: inWritingOrder(reference),
    decisions: limitedDecisions(selected, rejectedDecisions(evaluation)),
    // However many there are, all were chosen.
    condition: scheduledCondition(true, selected.length, policy.problems),
    verdicts: new Verdicts(view, () => (position) => verdictOn(position, evaluation, keptNames)),
  };
}

function* rejectedDecisions(evaluation: Evaluation): Iterable<ClusterDecision> {
  for (const [position, { name }] of evaluation.view.rows.entries()) {
    const explanation = evaluation.explain(position);
    if (explanation !== undefined) yield rejectedDecision(name, explanation.reasons);
  }
}

function verdictOn(position: number, evaluation: Evaluation, kept: ReadonlySet<string>): Verdict {
  const cluster = evaluation.view.rows[position]?.name ?? '';
  const evidence = evidenceOn(position, evaluation);
  if (kept.has(cluster)) return { cluster, outcome: 'Kept', ...evidence };
  if (!evaluation.passes(position)) return { cluster, outcome: 'Rejected', ...evidence };
  return { cluster, outcome: 'Picked', score: noScore, ...evidence };
}
