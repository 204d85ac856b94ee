import { once } from '@flotilla/kube';
import type { ClusterView } from './cluster-view.ts';
import type { Score } from './decisions.ts';
import type { Evaluation } from './evaluation.ts';
import type { Rejection, Support } from './rules/rule.ts';

/**
 * What was found about one cluster. Kept: chosen earlier, and it stays, even if it is rejected today. Outscored: it fits, but others
 * rank higher. Absent: the policy names it, but the fleet has no such cluster.
 */
export interface Verdict {
  readonly cluster: string;
  readonly outcome: 'Picked' | 'Kept' | 'Outscored' | 'Rejected' | 'Absent';
  readonly score?: Score;
  /** The first rule that rejects the cluster. */
  readonly rejection?: Rejection;
  /** Other rules that reject it, too. */
  readonly alsoRejectedBy?: readonly Rejection[];
  /** What speaks for a cluster that passes all rules. PickFixed has none. */
  readonly support?: Support;
  /** For PickN, on a cluster without a binding of this snapshot: the smallest number of clusters that includes it. */
  readonly place?: number;
}

/** What the rules found about the cluster at a position. */
export function evidenceOn(
  position: number,
  evaluation: Evaluation,
): Pick<Verdict, 'rejection' | 'alsoRejectedBy' | 'support'> {
  const rejection = evaluation.explain(position);
  const support = evaluation.support(position);
  if (rejection === undefined) return support === undefined ? {} : { support };
  const alsoRejectedBy = evaluation.explainOthers(position);
  return { rejection, ...(alsoRejectedBy.length > 0 && { alsoRejectedBy }) };
}

/** Verdicts for all clusters, made when they are read. */
export class Verdicts implements Iterable<Verdict> {
  readonly #view: ClusterView;
  readonly #judge: () => (position: number) => Verdict;
  readonly #absent: readonly string[];

  /** `judge` evaluates. What it returns makes the verdict on the cluster at a position. */
  constructor(view: ClusterView, judge: () => (position: number) => Verdict, absent: readonly string[] = []) {
    this.#view = view;
    this.#judge = once(judge);
    this.#absent = absent;
  }

  get size(): number {
    return this.#view.rows.length + this.#absent.length;
  }

  of(cluster: string): Verdict | undefined {
    const position = this.#view.position(cluster);
    if (position !== undefined) return this.#judge()(position);
    return this.#absent.includes(cluster) ? { cluster, outcome: 'Absent' } : undefined;
  }

  *[Symbol.iterator](): Iterator<Verdict> {
    for (let position = 0; position < this.#view.rows.length; position++) yield this.#judge()(position);
    for (const cluster of this.#absent) yield { cluster, outcome: 'Absent' };
  }
}
