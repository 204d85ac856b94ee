import { JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { Choices } from './choices.ts';
import { NumberRule } from './number-rule.ts';
import { StringRule } from './string-rule.ts';
import { floatOf, isNearlyWhole, typeMismatch, typeRuleOf, type TypeRule, type ValueKind } from './type-rule.ts';

/**
 * A schema compiled for validation. `fits` only says whether a value is valid, without allocating: nearly all values
 * are. `explainValue` walks the others again. Children are created on first use.
 */
export class ValueSchema {
  readonly schema: JsonSchema;
  readonly types: TypeRule;
  readonly string: StringRule;
  readonly number: NumberRule;
  readonly choices: Choices | undefined;
  readonly required: readonly string[];
  readonly #accepts: AcceptedKinds;
  readonly #acceptsNull: boolean;
  readonly #hasJunctors: boolean;
  #junctors: Junctors | undefined;
  #properties: Map<string, ValueSchema> | undefined;
  #items: ValueSchema | undefined;
  #values: ValueSchema | undefined;

  constructor(schema: JsonSchema) {
    const { enum: choices = [], required = [] } = schema;
    this.schema = schema;
    this.types = typeRuleOf(schema);
    this.string = new StringRule(schema);
    this.number = new NumberRule(schema);
    this.choices = choices.length === 0 ? undefined : new Choices(choices);
    this.required = required;
    this.#accepts = acceptedKinds(this.types);
    this.#acceptsNull = (this.types.types.length === 0 || schema.nullable === true) && this.choices === undefined;
    this.#hasJunctors =
      [schema.allOf, schema.anyOf, schema.oneOf].some((list) => (list ?? []).length > 0) || schema.not !== undefined;
  }

  get junctors(): Junctors {
    return (this.#junctors ??= junctorsOf(this.schema));
  }

  get items(): ValueSchema | undefined {
    const items = itemsOf(this.schema);
    return (this.#items ??= items && new ValueSchema(items));
  }

  get values(): ValueSchema | undefined {
    const values = valuesOf(this.schema);
    return (this.#values ??= values && new ValueSchema(values));
  }

  get properties(): ReadonlyMap<string, ValueSchema> {
    return (this.#properties ??= new Map(
      Object.entries(this.schema.properties ?? {}).map(([name, schema]) => [name, new ValueSchema(schema)]),
    ));
  }

  fits(value: JsonValue): boolean {
    if (value === null) return this.#acceptsNull;
    if (!this.#fitsAsKind(value)) return false;
    if (this.#hasJunctors && !this.#fitsJunctors(value)) return false;
    return this.choices === undefined || this.choices.has(value);
  }

  #fitsAsKind(value: Exclude<JsonValue, null>): boolean {
    if (typeof value === 'string') return this.#accepts.string && this.string.fits(value);
    if (typeof value === 'number' || typeof value === 'bigint') return this.#fitsNumber(value);
    if (typeof value === 'boolean') return this.#accepts.boolean;
    if (Array.isArray(value)) return this.#accepts.array && this.#fitsList(value);
    return value instanceof JsonFloat ? this.#fitsNumber(value) : this.#accepts.object && this.#fitsObject(value);
  }

  #fitsNumber(value: number | bigint | JsonFloat): boolean {
    return this.#accepts[numberKind(value)] && this.number.fits(value);
  }

  #fitsList(list: readonly JsonValue[]): boolean {
    const { minItems = 0, maxItems = Infinity } = this.schema;
    if (list.length < minItems || list.length > maxItems) return false;
    const { items } = this;
    if (items === undefined) return true;
    for (const item of list) if (!items.fits(item)) return false;
    return true;
  }

  #fitsObject(object: JsonObject): boolean {
    for (const name of this.required) if (!Object.hasOwn(object, name)) return false;
    const { properties, values } = this;
    const isClosed = this.schema.additionalProperties === false;
    let count = 0;
    for (const key in object) {
      const value = object[key];
      count += 1;
      const child = properties.get(key) ?? values;
      if (child === undefined) {
        if (isClosed) return false;
      } else if (value !== undefined && !child.fits(value)) return false;
    }
    const { minProperties = 0, maxProperties = Infinity } = this.schema;
    return count >= minProperties && count <= maxProperties;
  }

  #fitsJunctors(value: JsonValue): boolean {
    const { allOf, anyOf, oneOf, not } = this.junctors;
    if (!allOf.every((schema) => schema.fits(value))) return false;
    if (anyOf.length > 0 && !anyOf.some((schema) => schema.fits(value))) return false;
    if (oneOf.length > 0 && oneOf.filter((schema) => schema.fits(value)).length !== 1) return false;
    return not === undefined || !not.fits(value);
  }
}

interface Junctors {
  readonly allOf: readonly ValueSchema[];
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly not: ValueSchema | undefined;
}

function junctorsOf({ allOf = [], anyOf = [], oneOf = [], not }: JsonSchema): Junctors {
  return {
    allOf: allOf.map((schema) => new ValueSchema(schema)),
    anyOf: anyOf.map((schema) => new ValueSchema(schema)),
    oneOf: oneOf.map((schema) => new ValueSchema(schema)),
    not: not && new ValueSchema(not),
  };
}

/** Numbers that were written as floats are whole or have a fraction. */
type AcceptedKinds = Readonly<Record<Exclude<ValueKind, 'number'> | 'whole' | 'fraction', boolean>>;

function acceptedKinds(rule: TypeRule): AcceptedKinds {
  const takes = (kind: ValueKind, isWhole = false): boolean => typeMismatch(rule, kind, isWhole) === undefined;
  return {
    string: takes('string'),
    boolean: takes('boolean'),
    integer: takes('integer'),
    whole: takes('number', true),
    fraction: takes('number'),
    array: takes('array'),
    object: takes('object'),
  };
}

function numberKind(value: number | bigint | JsonFloat): 'integer' | 'whole' | 'fraction' {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return 'integer';
  return isNearlyWhole(floatOf(value)) ? 'whole' : 'fraction';
}
