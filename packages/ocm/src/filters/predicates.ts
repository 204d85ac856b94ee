import type { ClusterPredicate } from '@flotilla/api';
import type { ClusterRow } from '../cluster-row.ts';
import type { ExpressionCompiler } from '../expressions/cluster-expressions.ts';
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

/** A selected cluster matches any predicate, if there are any. */
export class Predicates {
  readonly #selectors: readonly ClusterSelector[];
  /** Of a match that has yielded: how many predicates are done for a cluster, or `matched`. */
  #progress = new Map<ClusterRow, number>();

  /** Throws a Misconfiguration. */
  constructor(predicates: readonly ClusterPredicate[], compiler: ExpressionCompiler) {
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
      let next = progress.get(row) ?? 0;
      for (; next < this.#selectors.length && left > 0; next++) {
        const { isMatch, cost } = (this.#selectors[next] as ClusterSelector).evaluate(row, measure);
        left -= cost;
        if (isMatch) next = matched;
      }
      if (next >= matched) found.push(row);
      if (left <= 0) {
        this.#noteProgress(rows, row, next, found);
        return undefined;
      }
    }
    this.#progress = new Map();
    return found;
  }

  failures(row: ClusterRow): PredicateFailure[] {
    return this.#selectors.slice(0, maxFailures).flatMap((selector, predicate) => {
      const failure = selector.failure(row);
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

const matched = Number.MAX_SAFE_INTEGER - 1;

/** More explain nothing. */
const maxFailures = 50;
