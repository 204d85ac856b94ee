/** Limits for the estimated cost of rules. */
import { maxCost } from '@flotilla/cel';
import { forbidden, type FieldError } from '@flotilla/kube';

const maxExpressionCost = 10_000_000;
const maxSchemaCost = 100_000_000;

const costAdvice =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** Undefined if the cost is within the limit. */
export function expressionCostProblem(what: 'rule' | 'messageExpression', cost: number): string | undefined {
  return cost > maxExpressionCost ? tooCostly(`estimated ${what} cost`, cost, maxExpressionCost) : undefined;
}

export function cappedProduct(cost: number, times: number): number {
  return Math.min(cost * times, maxCost);
}

/** Sums the cost of all rules of a schema, and keeps the most expensive ones. */
export class TotalCost {
  static readonly #minNamedCost = maxSchemaCost / 100;
  static readonly #maxNamed = 4;

  #total = 0;
  readonly #worst: { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.#total = Math.min(this.#total + cost, maxCost);
    if (cost < TotalCost.#minNamedCost) return;
    this.#worst.push({ path, cost });
    this.#worst.sort((a, b) => b.cost - a.cost);
    this.#worst.length = Math.min(this.#worst.length, TotalCost.#maxNamed);
  }

  errors(path: string): FieldError[] {
    if (this.#total <= maxSchemaCost) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#worst.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, tooCostly(what, this.#total, maxSchemaCost)),
    ];
  }
}

function tooCostly(what: string, cost: number, limit: number): string {
  return `${what} exceeds budget by factor of ${factor(cost / limit)} ${costAdvice}`;
}

/** Far above the limit the number is meaningless; just above it, one digit would print 1.0. */
function factor(times: number): string {
  if (times > 100) return 'more than 100x';
  return `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
}
