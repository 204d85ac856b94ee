import { isJsonObject, type FieldError, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';
import { Correlation, keyedItems } from '../value/correlation.ts';
import {
  newRun,
  noRatchet,
  ratchetAtIndex,
  ratchetAtKey,
  runRules,
  type Ratchet,
  type RuleEvaluator,
  type RuleRun,
} from './run-rules.ts';
import { ruleTree, type RuleNode } from './rule-node.ts';

/** The cost limit of all rules for one object. */
export const ruleBudget = 10_000_000;

/** Runs the rules of a schema on objects: those of a node before those below it. */
export class RuleRunner {
  readonly #tree: RuleNode | undefined;

  /** `isResource`: false if the root is a part of a resource. */
  constructor(root: SchemaNode, isResource = true) {
    this.#tree = ruleTree(root, isResource);
  }

  run(
    object: JsonObject,
    old: JsonObject | undefined,
    evaluator?: RuleEvaluator,
  ): { errors: FieldError[]; warnings: string[] } {
    const run = newRun(ruleBudget, evaluator);
    if (this.#tree !== undefined) {
      const here = old && new Correlation(object, old, this.#tree.node);
      visit(this.#tree, { value: object, old: old ?? null, ratchet: { ...noRatchet, here } }, run);
    }
    return run;
  }

  /**
   * Reports all failures, even if the value did not change. `old` is null if there was none. Also returns the remaining
   * budget.
   */
  check(value: JsonValue, old: JsonValue, budget = ruleBudget): { errors: FieldError[]; budget: number } {
    const run = newRun(budget);
    const hasBudget = this.#tree === undefined || visit(this.#tree, { value, old, ratchet: noRatchet }, run);
    return { errors: run.errors, budget: hasBudget ? run.budget : -1 };
  }
}

/** A value, its old value (null if there was none), and whether its failures are errors. */
interface Visited {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly ratchet: Ratchet;
}

/** False if the budget is spent, so that no more rules may run. */
function visit(rules: RuleNode, visited: Visited, run: RuleRun): boolean {
  const { value, old, ratchet } = visited;
  if (value === null) return true;
  if (rules.hasRules && !runRules(rules, { value, old, ratchet }, run)) return false;
  if (Array.isArray(value)) return rules.items === undefined || visitItems(value, rules.items, rules, visited, run);
  return !isJsonObject(value) || visitMembers(value, rules, visited, run);
}

function visitItems(
  list: readonly JsonValue[],
  items: RuleNode,
  { node }: RuleNode,
  { old, ratchet }: Visited,
  run: RuleRun,
): boolean {
  const oldItems = Array.isArray(old) ? keyedItems(old, node) : undefined;
  return list.every((value, i) => {
    run.walkPath.enterIndex(i);
    const hasBudget = visit(
      items,
      { value, old: oldItems?.get(value) ?? null, ratchet: ratchetAtIndex(ratchet, i) },
      run,
    );
    run.walkPath.leave();
    return hasBudget;
  });
}

function visitMembers(object: JsonObject, rules: RuleNode, { old, ratchet }: Visited, run: RuleRun): boolean {
  const oldObject = isJsonObject(old) ? old : undefined;
  for (const key in object) {
    const property = rules.properties.get(key);
    const child = property ?? rules.values;
    if (child === undefined) continue;
    if (property === undefined) run.walkPath.enterKey(key);
    else run.walkPath.enterField(key);
    const before = oldObject !== undefined && Object.hasOwn(oldObject, key) ? oldObject[key] : undefined;
    const visited = { value: object[key] ?? null, old: before ?? null, ratchet: ratchetAtKey(ratchet, key) };
    const hasBudget = visit(child, visited, run);
    run.walkPath.leave();
    if (!hasBudget) return false;
  }
  return true;
}
