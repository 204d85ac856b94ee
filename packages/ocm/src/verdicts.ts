import { once } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import { Misconfiguration } from './misconfiguration.ts';
import type { FilterResult, PrioritizerResult, Problem, ScorePart, Verdict } from './outcome.ts';
import { spreadName, type Weights } from './prioritizers/weights.ts';
import { filterNames, type Schedule } from './schedule.ts';
import type { Candidate, SpreadSelection } from './spread.ts';

interface Findings {
  readonly filters: readonly FilterResult[];
  /** What ended the schedule. The rest is undefined then. */
  readonly problem?: Problem;
  readonly spread?: SpreadSelection;
  readonly prioritizers?: readonly PrioritizerResult[];
  readonly weights?: Weights;
}

/** The findings by cluster: who asks for one verdict often asks for all. */
interface Lookup {
  readonly rows: ReadonlyMap<string, ClusterRow>;
  /** What passed each filter. */
  readonly passed: readonly ReadonlySet<ClusterRow>[];
  readonly selected: ReadonlyMap<string, Candidate>;
  readonly others: ReadonlyMap<string, Candidate>;
  /** Expressions are evaluated once more to explain clusters. Counts what that costs, and returns what is left. */
  readonly spend: (cost: number) => number;
}

/** Of all verdicts of a schedule, in units of CEL: some milliseconds. Clusters after that are rejected without a reason. */
const verdictCost = 1_000_000;

/** Makes verdicts when they are read: a decision itself needs none. */
export function judge(schedule: Schedule, findings: Findings): (cluster: string) => Verdict | undefined {
  const byName = (candidates: readonly Candidate[] = []): ReadonlyMap<string, Candidate> =>
    new Map(candidates.map((candidate) => [candidate.row.name, candidate]));
  const lookup = once((): Lookup => ({
    rows: new Map(schedule.rows.map((row) => [row.name, row])),
    passed: findings.filters.map(({ rows }) => new Set(rows)),
    selected: byName(findings.spread?.selected),
    others: byName(findings.spread?.others),
    spend: budgetOf(verdictCost),
  }));
  return (cluster) => {
    const row = lookup().rows.get(cluster);
    if (row === undefined) return undefined;
    return rejection(schedule, findings, lookup(), row) ?? ranking(findings, lookup(), row);
  };
}

function budgetOf(budget: number): (cost: number) => number {
  let left = budget;
  return (cost) => (left = Math.max(0, left - cost));
}

function rejection(
  schedule: Schedule,
  { problem }: Findings,
  { passed: [matching, feasible], spend }: Lookup,
  row: ClusterRow,
): Verdict | undefined {
  const { predicates, tolerations } = schedule.placement;
  if (matching?.has(row) === false && predicates && !(predicates instanceof Misconfiguration)) {
    const evidence = { kind: 'predicates', failures: predicates.failures(row, spend) } as const;
    return { outcome: 'Rejected', plugin: filterNames.predicate, evidence };
  }
  if (feasible?.has(row) === false && !(tolerations instanceof Misconfiguration)) {
    const failure = tolerations.failure(row, schedule.chosen.has(row.name), schedule.now);
    if (failure) return { outcome: 'Rejected', plugin: filterNames.taint, evidence: { kind: 'taint', ...failure } };
  }
  if (problem === undefined) return undefined;
  return {
    outcome: 'Rejected',
    plugin: problem.plugin,
    evidence: { kind: 'misconfigured', message: problem.message },
  };
}

function ranking(
  { spread, prioritizers = [], weights }: Findings,
  { selected, others }: Lookup,
  { name }: ClusterRow,
): Verdict | undefined {
  if (spread === undefined) return undefined;
  const constraint = spread.excluded.get(name);
  if (constraint !== undefined) {
    return { outcome: 'Rejected', plugin: spreadName, evidence: { kind: 'spread', constraint } };
  }
  const parts: ScorePart[] = prioritizers.map((prioritizer) => ({
    prioritizer: prioritizer.name,
    weight: prioritizer.weight,
    score: prioritizer.scores.get(name),
  }));
  const spreadScore = spread.scores.get(name);
  if (weights !== undefined && weights.spread !== 0 && spreadScore !== undefined) {
    parts.push({ prioritizer: spreadName, weight: weights.spread, score: spreadScore });
  }
  const outcome = selected.has(name) ? 'Selected' : 'Outscored';
  const found = selected.get(name) ?? others.get(name);
  return found && { outcome, score: found.score, parts };
}
