import { isJsonObject, quote, type FieldError, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Correlation } from './correlation.ts';
import { fieldErrorOf, Findings, problems } from './problem.ts';
import { floatOf, isNearlyWhole, kindOf, typeMismatch } from './type-rule.ts';
import type { ValueSchema } from './value-schema.ts';

/** `prefix`: the path of the value in its object. `correlate` is called only if something is wrong. */
export function validateValue(
  value: JsonValue,
  schema: ValueSchema,
  { prefix = '', correlate }: { prefix?: string; correlate?: () => Correlation | undefined } = {},
): FieldError[] {
  if (schema.fits(value)) return [];
  const findings = new Findings();
  explainValue(value, schema, { path: '', correlation: correlate?.(), findings });
  return findings.problems.map((problem) => fieldErrorOf(problem, prefix));
}

/**
 * Reports why a value does not fit its schema, with Kubernetes' messages and order. Returns the number of successful
 * checks: of alternatives that all fail, the one with most successes is reported. With a correlation, skips problems of
 * unchanged values.
 */
export function explainValue(
  value: JsonValue,
  schema: ValueSchema,
  { path, correlation, findings }: { path: string; correlation: Correlation | undefined; findings: Findings },
): number {
  // The problems found so far already refuse the object.
  if (findings.isFull) return 0;
  const before = findings.problems.length;
  const successes =
    value === null
      ? explainNull(schema, path, findings)
      : new Explanation(schema, path, correlation, findings).explain(value);
  if (findings.problems.length > before && correlation?.isUnchanged === true) findings.keepFirst(before);
  return successes;
}

function explainNull({ types, schema, choices }: ValueSchema, path: string, findings: Findings): number {
  const isTaken = types.types.length === 0 || schema.nullable === true;
  if (!isTaken) findings.add(problems.type(path, types.types.join(','), 'null'));
  if (choices !== undefined) findings.add(problems.choice(path, null, choices));
  return isTaken ? 1 : 0;
}

class Explanation {
  readonly #schema: ValueSchema;
  readonly #path: string;
  readonly #correlation: Correlation | undefined;
  readonly #findings: Findings;

  constructor(schema: ValueSchema, path: string, correlation: Correlation | undefined, findings: Findings) {
    this.#schema = schema;
    this.#path = path;
    this.#correlation = correlation;
    this.#findings = findings;
  }

  /** Each group of checks that applies adds one. */
  explain(value: Exclude<JsonValue, null>): number {
    const { types } = this.#schema;
    let successes = 1;
    if (types.types.length > 0 || types.format !== '') successes += 1 + this.#explainType(value);
    successes += 1 + this.#explainJunctors(value);
    successes += this.#explainContents(value);
    const { choices } = this.#schema;
    if (choices !== undefined && !choices.has(value)) this.#findings.add(problems.choice(this.#path, value, choices));
    successes += 1;
    if (isJsonObject(value)) successes += 1 + this.#explainObject(value);
    return successes;
  }

  #explainType(value: Exclude<JsonValue, null>): number {
    const kind = kindOf(value);
    const isWhole = kind === 'number' && isNearlyWhole(floatOf(value as number));
    const mismatch = typeMismatch(this.#schema.types, kind, isWhole);
    if (mismatch === undefined) return 1;
    this.#findings.add(problems.type(this.#path, mismatch.expected, mismatch.found));
    return 0;
  }

  #explainContents(value: Exclude<JsonValue, null>): number {
    const { string, number } = this.#schema;
    if (typeof value === 'string') {
      string.report(value, this.#path, this.#findings);
      string.reportFormat(value, this.#path, this.#findings);
      return string.hasFormat ? 2 : 1;
    }
    if (Array.isArray(value)) return 1 + this.#explainList(value);
    if (typeof value === 'boolean' || isJsonObject(value)) return 0;
    number.report(value, this.#path, this.#findings);
    return 2;
  }

  #explainList(list: readonly JsonValue[]): number {
    const { items, schema } = this.#schema;
    let successes = 1;
    if (items !== undefined) {
      for (const [i, item] of list.entries()) {
        successes += this.#explainChild(item, items, `${this.#path}[${i}]`, this.#correlation?.index(i));
      }
    }
    const { minItems = 0, maxItems = Infinity } = schema;
    if (list.length < minItems) this.#should(list.length, `have at least ${minItems} items`);
    if (list.length > maxItems) this.#findings.add(problems.tooManyItems(this.#path, list.length, maxItems));
    return successes;
  }

  #explainObject(object: JsonObject): number {
    const { properties, values, required, schema } = this.#schema;
    const keys = Object.keys(object);
    const { minProperties = 0, maxProperties = Infinity } = schema;
    if (keys.length < minProperties) this.#should(keys.length, `have at least ${minProperties} properties`);
    if (keys.length > maxProperties) {
      this.#findings.add(problems.tooManyProperties(this.#path, keys.length, maxProperties));
    }
    let successes = 0;
    for (const key of keys) {
      if (properties.has(key)) continue;
      if (schema.additionalProperties === false) this.#findings.add(problems.forbiddenProperty(this.#path, key));
      if (values !== undefined) successes += this.#explainMember(object, key, values, `${this.#path}.${key}`);
    }
    for (const [name, property] of properties) {
      if (!Object.hasOwn(object, name)) continue;
      successes += this.#explainMember(object, name, property, this.#path === '' ? name : `${this.#path}.${name}`);
    }
    for (const name of required) {
      if (!Object.hasOwn(object, name)) this.#findings.add(problems.required(`${this.#path}.${name}`));
    }
    return successes;
  }

  #explainMember(object: JsonObject, key: string, schema: ValueSchema, path: string): number {
    // The object may have been converted from another version, so a change is unknown.
    const isTypeOfRoot = this.#path === '' && (key === 'kind' || key === 'apiVersion');
    const correlation = isTypeOfRoot ? undefined : this.#correlation?.key(key);
    return this.#explainChild(object[key] ?? null, schema, path, correlation);
  }

  #explainChild(value: JsonValue, schema: ValueSchema, path: string, correlation: Correlation | undefined): number {
    return explainValue(value, schema, { path, correlation, findings: this.#findings });
  }

  #explainJunctors(value: JsonValue): number {
    const { allOf, anyOf, oneOf, not } = this.#schema.junctors;
    let successes = 1;
    if (anyOf.length > 0) successes += this.#explainAnyOf(value, anyOf);
    if (oneOf.length > 0) successes += this.#explainOneOf(value, oneOf);
    if (allOf.length > 0) successes += this.#explainAllOf(value, allOf);
    if (not?.fits(value) === true) this.#junctorProblem('must not validate the schema (not)');
    return successes;
  }

  #explainAnyOf(value: JsonValue, schemas: readonly ValueSchema[]): number {
    const fitting = schemas.find((schema) => schema.fits(value));
    if (fitting !== undefined) return this.#branch(value, fitting).successes;
    this.#junctorProblem('must validate at least one schema (anyOf)');
    return this.#addBest(value, schemas);
  }

  #explainOneOf(value: JsonValue, schemas: readonly ValueSchema[]): number {
    const fitting = schemas.filter((schema) => schema.fits(value));
    const [first] = fitting;
    if (first !== undefined && fitting.length === 1) return this.#branch(value, first).successes;
    const found = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`;
    this.#junctorProblem(`must validate one and only one schema (oneOf). ${found}`);
    return fitting.length === 0 ? this.#addBest(value, schemas) : 0;
  }

  #explainAllOf(value: JsonValue, schemas: readonly ValueSchema[]): number {
    let successes = 0;
    let fitting = 0;
    for (const schema of schemas) {
      const branch = this.#branch(value, schema);
      if (branch.findings.problems.length === 0) fitting += 1;
      this.#findings.addAll(branch.findings);
      successes += branch.successes;
    }
    if (fitting < schemas.length) {
      this.#junctorProblem(`must validate all the schemas (allOf)${fitting === 0 ? '. None validated' : ''}`);
    }
    return successes;
  }

  #addBest(value: JsonValue, schemas: readonly ValueSchema[]): number {
    let best: Branch | undefined;
    for (const schema of schemas) {
      const branch = this.#branch(value, schema);
      if (best === undefined || branch.successes > best.successes) best = branch;
    }
    if (best === undefined) return 0;
    this.#findings.addAll(best.findings);
    return best.successes;
  }

  /** Alternatives are checked without correlation. */
  #branch(value: JsonValue, schema: ValueSchema): Branch {
    const findings = new Findings();
    const successes = explainValue(value, schema, { path: this.#path, correlation: undefined, findings });
    return { findings, successes };
  }

  #junctorProblem(rest: string): void {
    this.#findings.add(problems.withoutPath(`${quote(this.#path)} ${rest}`));
  }

  #should(value: JsonValue, rest: string): void {
    this.#findings.add(problems.should(this.#path, value, rest));
  }
}

interface Branch {
  readonly findings: Findings;
  readonly successes: number;
}
