/** Validates defaults: the server sets them without further validation. */
import {
  aggregate,
  copyJson,
  fieldErrorText,
  pushAll,
  setOwn,
  type FieldError,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../../json-schema.ts';
import { ruleBudget, RuleRunner } from '../../rules/rule-runner.ts';
import { SchemaNode } from '../../schema-node.ts';
import { someSchema } from '../../structural/schema-walk.ts';
import { coerceEmbedded, embeddedTypeError, type ReadMetadata } from '../../value/coerce-embedded.ts';
import { invalidValue } from '../../value/problem.ts';
import { resourceFields, unknownFieldsIn } from '../../value/prune.ts';
import { validateEmbedded } from '../../value/validate-embedded.ts';
import { validateValue } from '../../value/validate-value.ts';
import { ValueSchema } from '../../value/value-schema.ts';

interface DefaultRules {
  readonly prunedDefaults: boolean;
  readonly readMetadata: ReadMetadata;
}

export function validateSchemaDefaults(schema: JsonSchema, path: string, rules: DefaultRules): FieldError[] {
  const root = new SchemaNode(asResource(schema));
  if (!root.below.hasDefaults) return [];
  const walk = new DefaultsWalk(rules);
  walk.visit(root, path, { resource: root, steps: [], isInMeta: false });
  return walk.errors;
}

/** For definitions that were accepted before this was checked. */
export function hasUnprunedDefaults(schema: JsonSchema): boolean {
  const pending = [new SchemaNode(schema)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!node.below.hasDefaults) continue;
    if (node.default !== undefined && unknownFieldsIn(copyJson(node.default), node).length > 0) return true;
    for (const child of [...node.properties.values(), node.items, node.values]) if (child) pending.push(child);
  }
  return false;
}

function asResource(schema: JsonSchema): JsonSchema {
  return { ...schema, 'x-kubernetes-embedded-resource': true };
}

interface NodeContext {
  /** The resource that contains the node. */
  readonly resource: SchemaNode;
  /** The path from there to the node; undefined stands for an item of a list. */
  readonly steps: readonly (string | undefined)[];
  readonly isInMeta: boolean;
}

class DefaultsWalk {
  readonly errors: FieldError[] = [];
  readonly #rules: DefaultRules;
  /** The remaining cost of rules. Below zero nothing more is checked. */
  #budget = ruleBudget;

  constructor(rules: DefaultRules) {
    this.#rules = rules;
  }

  /** Skips the values of maps, where defaults have no place. */
  visit(node: SchemaNode, path: string, above: NodeContext): void {
    if (!node.below.hasDefaults || this.#budget < 0) return;
    const context = node.isEmbedded ? { resource: node, steps: [], isInMeta: false } : above;
    if (node.default !== undefined) this.#check(node, node.default, `${path}.default`, context);
    if (node.items !== undefined) {
      this.visit(node.items, `${path}.items`, { ...context, steps: [...context.steps, undefined] });
    }
    for (const [name, property] of node.properties) {
      const isInMeta = context.isInMeta || (node.isEmbedded && resourceFields.has(name));
      this.visit(property, `${path}.properties[${name}]`, { ...context, steps: [...context.steps, name], isInMeta });
    }
  }

  #check(node: SchemaNode, value: JsonValue, path: string, context: NodeContext): void {
    const found = context.isInMeta ? this.#metaErrors(value, path, context) : this.#resourceErrors(node, value, path);
    pushAll(this.errors, found.errors);
    if (found.isFinal) return;
    const valueErrors = validateValue(value, new ValueSchema(withoutIntOrString(node.schema)), { prefix: path });
    pushAll(this.errors, valueErrors);
    if (valueErrors.length === 0 && node.below.hasRules) this.#checkRules(node, value, path, context);
  }

  /** Runs the rules with and without an old value, because a rule may depend on it. */
  #checkRules(node: SchemaNode, value: JsonValue, path: string, { resource }: NodeContext): void {
    const runner = new RuleRunner(node, node === resource);
    const kept = runner.check(value, value, this.#budget);
    pushAll(
      this.errors,
      kept.errors.map((error) => below(path, error)),
    );
    this.#budget = kept.budget;
    if (kept.errors.length > 0) return;
    const fresh = runner.check(value, null, this.#budget);
    pushAll(
      this.errors,
      fresh.errors.map((error) => below(path, error)),
    );
    this.#budget = Math.min(kept.budget, fresh.budget);
  }

  /** A part of metadata is validated inside a resource. */
  #metaErrors(value: JsonValue, path: string, { resource, steps }: NodeContext): DefaultErrors {
    const whole = { apiVersion: 'validation/v1', kind: 'Validation', ...surrounding(value, steps) };
    const { readMetadata: read } = this.#rules;
    const { error } = coerceEmbedded(whole, resource, { read, drop: false });
    const problem = error ?? problemsOf(validateEmbedded(whole, resource, read));
    if (problem === undefined) return { errors: [], isFinal: false };
    return { errors: [invalidValue(path, value, `must result in valid metadata: ${problem}`)], isFinal: true };
  }

  #resourceErrors(node: SchemaNode, value: JsonValue, path: string): DefaultErrors {
    const errors: FieldError[] = [];
    const { prunedDefaults, readMetadata: read } = this.#rules;
    if (prunedDefaults && unknownFieldsIn(copyJson(value), node).length > 0) {
      errors.push(invalidValue(path, value, 'must not have unknown fields'));
    }
    const copy = copyJson(value) as JsonObject;
    const typeError = embeddedTypeError(copy, node, read);
    if (typeError !== undefined) return { errors: [...errors, below(path, typeError)], isFinal: true };
    const embedded = validateEmbedded(copy, node, read);
    return { errors: [...errors, ...embedded.map((error) => below(path, error))], isFinal: embedded.length > 0 };
  }
}

interface DefaultErrors {
  readonly errors: readonly FieldError[];
  /** Whether to stop checking. */
  readonly isFinal: boolean;
}

function surrounding(value: JsonValue, steps: readonly (string | undefined)[]): JsonObject {
  let inner = copyJson(value);
  for (const step of steps.toReversed()) {
    if (step === undefined) {
      inner = [inner];
    } else {
      const outer: JsonObject = {};
      setOwn(outer, step, inner);
      inner = outer;
    }
  }
  return inner as JsonObject;
}

function problemsOf(errors: readonly FieldError[]): string | undefined {
  return errors.length === 0 ? undefined : aggregate(errors.map(fieldErrorText));
}

/** Rewrites the error as one about a part of the default. */
function below(path: string, error: FieldError): FieldError {
  const field = error.field === '<nil>' ? '' : error.field;
  const separator = field === '' || field.startsWith('[') ? '' : '.';
  return { ...error, field: `${path}${separator}${field}` };
}

const intOrStringKeyword = 'x-kubernetes-int-or-string';

/** Kubernetes ignores this keyword when it validates defaults, so they may have any type there. */
function withoutIntOrString(schema: JsonSchema): JsonSchema {
  if (!someSchema(schema, (one) => one[intOrStringKeyword] === true)) return schema;
  const { [intOrStringKeyword]: _, ...rest } = schema;
  const { properties } = schema;
  const items = itemsOf(schema);
  const values = valuesOf(schema);
  return {
    ...rest,
    ...(properties && { properties: mapValues(properties, withoutIntOrString) }),
    ...(items && { items: withoutIntOrString(items) }),
    ...(values && { additionalProperties: withoutIntOrString(values) }),
  };
}

function mapValues<T>(map: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
