import type { ClusterRow } from './cluster-row.ts';
import { Misconfiguration } from './misconfiguration.ts';
import type { FilterResult, PrioritizerResult, Problem, ScorePart, Verdict } from './outcome.ts';
import { spreadName, type Weights } from './prioritizers/weights.ts';
import { filterNames, type Schedule } from './schedule.ts';
import type { SpreadSelection } from './spread.ts';

interface Findings {
  readonly filters: readonly FilterResult[];
  /** What ended the schedule. The rest is undefined then. */
  readonly problem?: Problem;
  readonly spread?: SpreadSelection;
  readonly prioritizers?: readonly PrioritizerResult[];
  readonly weights?: Weights;
}

/** Makes verdicts when they are read: a decision itself needs none. */
export function judge(schedule: Schedule, findings: Findings): (cluster: string) => Verdict | undefined {
  return (cluster) => {
    const row = schedule.rows.find(({ name }) => name === cluster);
    return row === undefined ? undefined : (rejection(schedule, findings, row) ?? ranking(findings, row));
  };
}

function rejection(schedule: Schedule, { filters, problem }: Findings, row: ClusterRow): Verdict | undefined {
  const { predicates, tolerations } = schedule.placement;
  const [matching, feasible] = filters;
  if (
    matching !== undefined &&
    !matching.rows.includes(row) &&
    predicates &&
    !(predicates instanceof Misconfiguration)
  ) {
    const evidence = { kind: 'predicates', failures: predicates.failures(row) } as const;
    return { outcome: 'Rejected', plugin: filterNames.predicate, evidence };
  }
  if (feasible !== undefined && !feasible.rows.includes(row) && !(tolerations instanceof Misconfiguration)) {
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

function ranking({ spread, prioritizers = [], weights }: Findings, { name }: ClusterRow): Verdict | undefined {
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
  const isNamed = ({ row }: { readonly row: ClusterRow }): boolean => row.name === name;
  const selected = spread.selected.find(isNamed);
  const found = selected ?? spread.others.find(isNamed);
  return found && { outcome: selected ? 'Selected' : 'Outscored', score: found.score, parts };
}
