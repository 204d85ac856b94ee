import type { ClaimSelector } from '@flotilla/api';
import { labelSelectorFrom, LabelSelector, SelectorError, type LabelSelectorObject } from '@flotilla/kube';
import type { ClusterRow } from '../cluster-row.ts';
import type { ClusterExpressions, ExpressionCompiler, ExpressionProgress } from '../expressions/cluster-expressions.ts';
import type { Measure } from '../schedule.ts';
import { Misconfiguration } from '../misconfiguration.ts';

/** A selector of a predicate or of a decision group. */
export interface SelectorParts {
  readonly labelSelector?: LabelSelectorObject | undefined;
  readonly claimSelector?: ClaimSelector | undefined;
  readonly celSelector?: { readonly celExpressions?: readonly string[] | undefined } | undefined;
}

/** The first requirement that a cluster does not meet. */
export interface RequirementFailure {
  readonly part: 'label' | 'claim' | 'expression';
  /** As text: `region in (east,west)`, or the expression. */
  readonly requirement: string;
  /** What the cluster has; undefined if it lacks the label or claim. */
  readonly value?: string;
  /** Why the expression has no result. */
  readonly problem?: string;
}

/** What matching one selector without expressions costs, in units of CEL. */
const selectorCost = 10;

export interface EvaluateOptions {
  readonly measure?: Measure;
  /** Where an earlier call ended. */
  readonly from?: ExpressionProgress | undefined;
  /** In units of CEL. Default: no limit. */
  readonly budget?: number;
}

export interface Evaluation {
  readonly isMatch: boolean;
  readonly cost: number;
  /** Present if the budget did not suffice: then nothing is known yet. */
  readonly next?: ExpressionProgress;
}

/** Labels, claims and expressions of one selector. A cluster must meet them all. */
export class ClusterSelector {
  readonly #labels: LabelSelector;
  readonly #claims: LabelSelector;
  readonly #expressions: ClusterExpressions | undefined;

  /** Without a compiler, expressions are ignored. Throws a Misconfiguration. */
  constructor({ labelSelector, claimSelector, celSelector }: SelectorParts, compiler?: ExpressionCompiler) {
    this.#labels = selectorFrom(labelSelector);
    this.#claims = selectorFrom({ matchExpressions: claimSelector?.matchExpressions ?? [] });
    const expressions = compiler?.compile(celSelector?.celExpressions ?? []);
    this.#expressions = expressions?.isEmpty ? undefined : expressions;
  }

  /** Returns the cost, too, so that callers can yield. */
  evaluate(row: ClusterRow, { measure, from, budget }: EvaluateOptions = {}): Evaluation {
    if (!this.#labels.matches(row.labels)) return mismatch;
    if (!this.#claims.isEmpty && !this.#claims.matches(row.claims)) return mismatch;
    const expressions = this.#expressions;
    if (expressions === undefined) return match;
    const evaluate = () => expressions.evaluate(row, from, budget);
    const { failure, cost, next } = measure === undefined ? evaluate() : measure('expressions', '', evaluate);
    return { isMatch: failure === undefined && next === undefined, cost: cost + selectorCost, ...(next && { next }) };
  }

  /** Undefined if the cluster matches, or if it takes more than may be spent to know. */
  failure(row: ClusterRow, spend: (cost: number) => number): RequirementFailure | undefined {
    return (
      firstUnmet('label', this.#labels, row.labels) ??
      firstUnmet('claim', this.#claims, row.claims) ??
      this.#failedExpression(row, spend)
    );
  }

  #failedExpression(row: ClusterRow, spend: (cost: number) => number): RequirementFailure | undefined {
    const { failure, cost = 0 } = this.#expressions?.evaluate(row, undefined, spend(0)) ?? {};
    spend(cost);
    if (failure === undefined) return undefined;
    const { expression, problem } = failure;
    return { part: 'expression', requirement: expression, ...(problem !== undefined && { problem }) };
  }
}

const match: Evaluation = { isMatch: true, cost: selectorCost };
const mismatch: Evaluation = { isMatch: false, cost: selectorCost };

/** Absent means any: in Go, an absent selector of these types is an empty one. */
function selectorFrom(selector: LabelSelectorObject | undefined): LabelSelector {
  try {
    return labelSelectorFrom(selector ?? {});
  } catch (error) {
    if (error instanceof SelectorError) throw new Misconfiguration(error.message);
    throw error;
  }
}

function firstUnmet(
  part: 'label' | 'claim',
  { requirements }: LabelSelector,
  values: Readonly<Record<string, string>>,
): RequirementFailure | undefined {
  for (const requirement of requirements) {
    const alone = new LabelSelector([requirement]);
    if (alone.matches(values)) continue;
    const value = Object.hasOwn(values, requirement.key) ? values[requirement.key] : undefined;
    return { part, requirement: alone.toString(), ...(value !== undefined && { value }) };
  }
  return undefined;
}
