/** One schedule: filters, then prioritizers, then the selection. The order is OCM's, since the first problem ends it. */
import { once } from '@flotilla/kube';
import type { ClusterRow } from './cluster-row.ts';
import type { CompiledPlacement } from './compiled-placement.ts';
import { Misconfiguration } from './misconfiguration.ts';
import type { FilterResult, PlacementOutcome, PrioritizerResult, Problem } from './outcome.ts';
import { spreadName, type Weights } from './prioritizers/weights.ts';
import { filterNames, type Schedule } from './schedule.ts';
import { selectSpread, type Candidate, type SpreadSelection } from './spread.ts';
import { judge } from './verdicts.ts';

export function runSchedule(schedule: Schedule): PlacementOutcome | undefined {
  const { placement, measure } = schedule;
  const filters: FilterResult[] = [];
  const stop = (plugin: string, { message }: Misconfiguration): PlacementOutcome =>
    stopped(schedule, filters, { code: 'Misconfigured', plugin, message });

  const matching = measure('filter', filterNames.predicate, () => matchPredicates(schedule));
  if (matching === undefined) return undefined;
  if (matching instanceof Misconfiguration) return stop(filterNames.predicate, matching);
  filters.push({ name: filterNames.predicate, rows: matching });

  const feasible = measure('filter', filterNames.taint, () => tolerated(schedule, matching));
  if (feasible instanceof Misconfiguration) return stop(filterNames.taint, feasible);
  filters.push({ name: `${filterNames.predicate},${filterNames.taint}`, rows: feasible });

  if (placement.weights instanceof Misconfiguration) return stop('', placement.weights);
  const scored = prioritize(schedule, placement.weights, feasible);
  const limit = selectionLimit(placement, feasible.length);
  const spread = select(scored.candidates, limit, placement, placement.weights);
  const selected = spread.selected;
  return {
    selected,
    ranked: [...selected, ...spread.others],
    unscheduled: Math.max(0, requested(placement) - selected.length),
    problem: scored.warning,
    filters,
    prioritizers: [...scored.results, ...spreadResult(placement.weights, spread)],
    changesAt: earliest(scored.changesAt, expiryOf(schedule, feasible)),
    verdictOf: judge(schedule, { filters, spread, prioritizers: scored.results, weights: placement.weights }),
  };
}

/** Nothing is selected, but what ran before the problem is known. */
function stopped(schedule: Schedule, filters: readonly FilterResult[], problem: Problem): PlacementOutcome {
  return {
    selected: [],
    ranked: [],
    unscheduled: 0,
    problem,
    filters,
    prioritizers: [],
    changesAt: undefined,
    verdictOf: judge(schedule, { filters, problem }),
  };
}

/** Without clusters, or without predicates, nothing is checked. */
function matchPredicates({ placement: { predicates }, rows, measure }: Schedule) {
  if (predicates === undefined || rows.length === 0) return rows;
  return predicates instanceof Misconfiguration ? predicates : predicates.matching(rows, measure);
}

function tolerated({ placement: { tolerations }, chosen, now }: Schedule, rows: readonly ClusterRow[]) {
  if (rows.length === 0) return rows;
  if (tolerations instanceof Misconfiguration) return tolerations;
  return rows.filter((row) => tolerations.failure(row, chosen.has(row.name), now) === undefined);
}

interface Scored {
  /** By score, then by name. */
  readonly candidates: readonly Candidate[];
  readonly results: readonly PrioritizerResult[];
  readonly warning: Problem | undefined;
  readonly changesAt: number | undefined;
}

function prioritize(schedule: Schedule, { prioritizers }: Weights, rows: readonly ClusterRow[]): Scored {
  const { chosen, elsewhere, scoreOf, now, measure } = schedule;
  const totals = new Float64Array(rows.length);
  const results: PrioritizerResult[] = [];
  let warning: Problem | undefined;
  let changesAt: number | undefined;
  for (const { prioritizer, weight } of prioritizers) {
    const { name } = prioritizer;
    const scores = measure('prioritizer', name, () => prioritizer.score({ rows, chosen, elsewhere, scoreOf, now }));
    for (const [index, score = 0] of scores.values.entries()) totals[index] = (totals[index] ?? 0) + weight * score;
    const named = once(() => byCluster(rows, scores.values));
    results.push({
      name,
      weight,
      // Only made to explain: a decision needs the totals.
      get scores() {
        return named();
      },
    });
    if (scores.warning !== undefined) warning = { code: 'Warning', plugin: name, message: scores.warning };
    changesAt = earliest(changesAt, scores.changesAt);
  }
  const candidates = rows.map((row, index) => ({ row, score: totals[index] ?? 0 }));
  // Stable: the rows are in the order of their names.
  return { candidates: candidates.sort((a, b) => b.score - a.score), results, warning, changesAt };
}

function byCluster(rows: readonly ClusterRow[], values: readonly (number | undefined)[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [index, { name }] of rows.entries()) {
    const value = values[index];
    if (value !== undefined) found.set(name, value);
  }
  return found;
}

function select(
  ranked: readonly Candidate[],
  limit: number,
  { spec }: CompiledPlacement,
  weights: Weights,
): SpreadSelection {
  const constraints = spec.spreadPolicy?.spreadConstraints ?? [];
  if (constraints.length > 0) return selectSpread(ranked, limit, constraints, weights.spread);
  return {
    selected: ranked.slice(0, limit),
    others: ranked.slice(limit),
    excluded: new Map(),
    scores: new Map(),
  };
}

function spreadResult({ spread: weight }: Weights, { scores }: SpreadSelection): PrioritizerResult[] {
  return weight === 0 || scores.size === 0 ? [] : [{ name: spreadName, weight, scores }];
}

/** A negative number ends OCM's process. Here it selects nothing. */
function selectionLimit({ spec }: CompiledPlacement, available: number): number {
  return Math.max(0, Math.min(spec.numberOfClusters ?? available, available));
}

/** 0 if the Placement takes all clusters: then none is missing. */
function requested({ spec }: CompiledPlacement): number {
  return spec.numberOfClusters ?? 0;
}

/** Of clusters that passed, the first that a taint removes. */
function expiryOf({ placement: { tolerations }, chosen }: Schedule, rows: readonly ClusterRow[]): number | undefined {
  if (tolerations instanceof Misconfiguration) return undefined;
  let first = Infinity;
  for (const row of rows) {
    if (row.taints.length > 0) first = Math.min(first, tolerations.expiry(row, chosen.has(row.name)));
  }
  return Number.isFinite(first) ? first : undefined;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
