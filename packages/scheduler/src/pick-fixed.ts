import { crossReference, inWritingOrder } from './binding-changes.ts';
import { ineligibleDecision, notFoundDecision, selectedDecision } from './decisions.ts';
import { Candidates } from './rules/candidates.ts';
import { ClusterEligibility } from './rules/cluster-eligibility.ts';
import type { Rejection, Rule } from './rules/rule.ts';
import { scheduledCondition, type Result, type Scheduling } from './scheduling.ts';
import { Verdicts, type Verdict } from './verdicts.ts';

const notNamed: Rejection = {
  plugin: 'PickFixed',
  reasons: ['cluster is not named by the scheduling policy'],
  evidence: { kind: 'names' },
};

/**
 * Chooses the named clusters that are eligible, whatever their labels and taints. One that was chosen by the same snapshot stays, even if
 * it is not eligible today. No names means no clusters; KubeFleet leaves everything as it was then.
 */
export function pickFixed({ policySnapshotName, policy, view, bindings, context }: Scheduling): Result {
  const names = [...new Set(policy.policy.clusterNames ?? [])];
  const kept = new Set([...bindings.scheduled, ...bindings.bound].map(({ spec }) => spec.targetCluster));
  const rules: Rule[] = [new ClusterEligibility(context.timeouts, context.now.getTime())];
  if (context.candidates !== undefined) rules.push(new Candidates(context.candidates));
  const rejectionOf = (name: string): Rejection | undefined => {
    const row = view.row(name);
    for (const rule of row === undefined ? [] : rules) {
      const rejection = row && rule.reject(row);
      if (row && rejection !== undefined) return { plugin: rule.plugin, ...rule.explain(rejection, row) };
    }
    return undefined;
  };
  const absent = names.filter((name) => view.row(name) === undefined);
  const present = names.filter((name) => view.row(name) !== undefined);
  const valid = present.filter((name) => kept.has(name) || rejectionOf(name) === undefined);
  const invalid = present.filter((name) => !valid.includes(name));
  const choices = valid.filter((name) => !kept.has(name)).map((cluster) => ({ cluster }));
  const decisions = [
    ...valid.map((name) => selectedDecision(name, undefined)),
    ...invalid.map((name) => ineligibleDecision(name, rejectionOf(name)?.reasons.join(', ') ?? '')),
    ...absent.map(notFoundDecision),
  ];
  const named = new Set(names);
  const verdictAt = (position: number): Verdict => {
    const cluster = view.rows[position]?.name ?? '';
    const rejection = named.has(cluster) ? rejectionOf(cluster) : notNamed;
    if (kept.has(cluster)) return { cluster, outcome: 'Kept', ...(rejection && { rejection }) };
    return rejection ? { cluster, outcome: 'Rejected', rejection } : { cluster, outcome: 'Picked' };
  };
  return {
    changes: inWritingOrder(crossReference(choices, bindings, policySnapshotName)),
    decisions,
    condition: scheduledCondition(valid.length === names.length, valid.length, []),
    verdicts: new Verdicts(view, () => verdictAt, absent),
  };
}
