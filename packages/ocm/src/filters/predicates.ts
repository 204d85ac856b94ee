import type { ClusterPredicate } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { ExpressionCompiler, ExpressionProgress } from '../expressions/cluster-expressions.ts';
import type { Measure } from '../schedule.ts';
import { ClusterSelector, type RequirementFailure } from './cluster-selector.ts';

/** Why one predicate does not match a cluster. */
export interface PredicateFailure extends RequirementFailure {
  /** Index in the spec. */
  readonly predicate: number;
}

/**
 * How much a decision may evaluate before it yields, in units of CEL: some milliseconds. A Placement may have thousands of predicates,
 * or expressions that cost a million.
 */
const turnCost = 300_000;

/** A match that costs more than this, in units of CEL, is kept until the cluster changes: most cost a thousandth. */
const keptCost = 20_000;

/** A selected cluster matches any predicate, if there are any. */
export class Predicates {
  readonly #selectors: readonly ClusterSelector[];
  /** Of a match that has yielded: how many predicates are done for a cluster, or `matched`. */
  #progress = new Map<ClusterRow, number>();
  readonly #kept = new WeakMap<ClusterRow, number>();
  /** Whether matches depend on the clusters alone. */
  readonly #mayKeep: boolean;
  /** Where it has yielded: within the expressions of a predicate. */
  #within: { readonly row: ClusterRow; readonly progress: ExpressionProgress } | undefined;

  /** Throws a Misconfiguration. */
  constructor(predicates: readonly ClusterPredicate[], compiler: ExpressionCompiler) {
    this.#mayKeep = !predicates.some(readsScores);
    this.#selectors = predicates.map(
      ({ requiredClusterSelector = {} }) => new ClusterSelector(requiredClusterSelector, compiler),
    );
  }

  /** Undefined if there is more to do: call it again in another turn. */
  matching(rows: readonly ClusterRow[], measure: Measure): ClusterRow[] | undefined {
    const found: ClusterRow[] = [];
    const progress = this.#progress;
    let left = turnCost;
    for (const row of rows) {
      let within = this.#within?.row === row ? this.#within.progress : undefined;
      let next = progress.get(row) ?? this.#kept.get(row) ?? 0;
      const before = left;
      while (next < this.#selectors.length && left > 0) {
        const options = { measure, from: within, budget: left };
        const evaluation = (this.#selectors[next] as ClusterSelector).evaluate(row, options);
        left -= evaluation.cost;
        within = evaluation.next;
        if (within === undefined) next = evaluation.isMatch ? matched : next + 1;
      }
      if (next >= matched) found.push(row);
      const isDone = next >= this.#selectors.length;
      if (isDone && this.#mayKeep && (before - left > keptCost || this.#within?.row === row)) this.#kept.set(row, next);
      if (left <= 0) {
        this.#noteProgress(rows, row, next, found);
        this.#within = within && { row, progress: within };
        return undefined;
      }
    }
    this.#progress = new Map();
    this.#within = undefined;
    return found;
  }

  /** `spend` counts what expressions cost, and returns what is left. */
  failures(row: ClusterRow, spend: (cost: number) => number): PredicateFailure[] {
    return this.#selectors.slice(0, maxFailures).flatMap((selector, predicate) => {
      const failure = selector.failure(row, spend);
      return failure === undefined ? [] : [{ predicate, ...failure }];
    });
  }

  #noteProgress(rows: readonly ClusterRow[], last: ClusterRow, next: number, found: readonly ClusterRow[]): void {
    const progress = new Map<ClusterRow, number>();
    for (const row of rows) {
      if (row === last) break;
      progress.set(row, this.#selectors.length);
    }
    for (const row of found) progress.set(row, matched);
    progress.set(last, next);
    this.#progress = progress;
  }
}

function readsScores({ requiredClusterSelector }: ClusterPredicate): boolean {
  return requiredClusterSelector?.celSelector?.celExpressions?.some((text) => text.includes('scores')) ?? false;
}

const matched = Number.MAX_SAFE_INTEGER - 1;

/** More explain nothing. */
const maxFailures = 50;
