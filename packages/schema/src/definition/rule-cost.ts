/** What rules may cost, judged before there is an object. */
import { maxCost } from '@flotilla/cel';
import { forbidden, type FieldError } from '@flotilla/kube';

const MAX_EXPRESSION_COST = 10_000_000;
const MAX_SCHEMA_COST = 100_000_000;

const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** Undefined: it may cost that much. */
export function expressionCostProblem(what: 'rule' | 'messageExpression', cost: number): string | undefined {
  return cost > MAX_EXPRESSION_COST ? tooCostly(`estimated ${what} cost`, cost, MAX_EXPRESSION_COST) : undefined;
}

export function timesAtMost(cost: number, times: number): number {
  return Math.min(cost * times, maxCost);
}

/** Adds up what all rules of a schema may cost, and remembers the worst of them. */
export class TotalCost {
  static readonly #WORTH_NAMING = MAX_SCHEMA_COST / 100;
  static readonly #MOST_NAMED = 4;

  #total = 0;
  readonly #worst: { readonly path: string; readonly cost: number }[] = [];

  add(path: string, cost: number): void {
    this.#total = Math.min(this.#total + cost, maxCost);
    if (cost < TotalCost.#WORTH_NAMING) return;
    this.#worst.push({ path, cost });
    this.#worst.sort((a, b) => b.cost - a.cost);
    this.#worst.length = Math.min(this.#worst.length, TotalCost.#MOST_NAMED);
  }

  errors(path: string): FieldError[] {
    if (this.#total <= MAX_SCHEMA_COST) return [];
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#worst.map((rule) => forbidden(rule.path, contributed)),
      forbidden(path, tooCostly(what, this.#total, MAX_SCHEMA_COST)),
    ];
  }
}

function tooCostly(what: string, cost: number, limit: number): string {
  return `${what} exceeds budget by factor of ${factor(cost / limit)} ${ADVICE}`;
}

/** Far over the limit the number means nothing; just over it one digit would say 1.0. */
function factor(times: number): string {
  if (times > 100) return 'more than 100x';
  return `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
}
