/** Readers for types that implement UnmarshalJSON in Go. */
import {
  canonicalMicroTime,
  canonicalQuantity,
  canonicalTime,
  copyJson,
  formatGoDuration,
  JsonFloat,
  parseGoDuration,
  sortedCopy,
  SpelledNumber,
  type JsonValue,
} from '@flotilla/kube';
import type { WellKnownForm } from '../table/go-type.ts';
import { DecodeState } from './decode-state.ts';
import { fitsInteger, isMinusZero } from './scalar-readers.ts';
import type { ValueReader } from './value-reader.ts';
import { isObject } from './container-readers.ts';

/** Reads the JSON schema inside a schema-or-something type. A function, because the two types recurse. */
type SchemaReader = () => ValueReader;

export function wellKnownReader(form: WellKnownForm, schema: SchemaReader): ValueReader {
  switch (form) {
    case 'time':
      return new TextReader(canonicalTime, null);
    case 'micro-time':
      return new TextReader(canonicalMicroTime, null);
    case 'duration':
      return new TextReader(canonicalDuration, '0s');
    case 'quantity':
      return quantityReader;
    case 'int-or-string':
      return intOrStringReader;
    case 'raw':
      return rawReader;
    case 'json':
      return jsonReader;
    case 'schema-or-bool':
      return new SchemaOrBoolReader(schema);
    case 'schema-or-array':
      return new SchemaOrListReader(schema, schema);
    case 'schema-or-strings':
      return new SchemaOrListReader(schema, () => stringReader);
  }
}

function canonicalDuration(text: string): string {
  return formatGoDuration(parseGoDuration(text));
}

/** A string with a canonical form. */
class TextReader implements ValueReader {
  readonly omits = 'nothing';
  readonly #canonical: (text: string) => JsonValue;
  readonly #zero: JsonValue;

  constructor(canonical: (text: string) => JsonValue, zero: JsonValue) {
    this.#canonical = canonical;
    this.#zero = zero;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (value === null) return this.#zero;
    if (typeof value === 'string') return attempt(state, this.#zero, () => this.#canonical(value));
    state.failMismatch(value, 'string');
    return this.#zero;
  }

  zero(): JsonValue {
    return this.#zero;
  }
}

/** Quantities may be written as numbers too. */
const quantityReader: ValueReader = {
  omits: 'nothing',
  read(value, state) {
    if (value === null) return '0';
    return attempt(state, '0', () => canonicalQuantity(quantityText(value, state)));
  },
  zero: () => '0',
};

/** Go reads the text of a number, not its value. */
function quantityText(value: NonNullable<JsonValue>, { isConverted }: DecodeState): string {
  if (value instanceof JsonFloat) return isConverted ? String(value.value) : value.literal;
  return typeof value === 'object' ? '{}' : String(value);
}

const intOrStringReader: ValueReader = {
  omits: 'nothing',
  read(value, state) {
    if (typeof value === 'string' || fitsInteger(value, 'int32')) return value;
    if (value !== null && !isMinusZero(value)) state.failMismatch(value, 'int32');
    return 0;
  },
  zero: () => 0,
};

/** The text stays as it is, unless the value came as a map. */
const rawReader: ValueReader = {
  omits: 'nothing',
  read(value, state) {
    if (state.isConverted) return attempt(state, null, () => sortedCopy(value));
    const tooLarge = numberBeyondRange(value);
    if (tooLarge === undefined) return copyJson(value);
    state.failMismatch(tooLarge, 'float64');
    return null;
  },
  zero: () => null,
};

/** A number that no double holds. kube-apiserver panics when it compares two of them. */
function numberBeyondRange(root: JsonValue): SpelledNumber | undefined {
  const pending: JsonValue[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (value instanceof SpelledNumber && !Number.isFinite(value.value)) return value;
    if (typeof value !== 'object' || value === null || value instanceof JsonFloat) continue;
    if (Array.isArray(value)) for (const item of value) pending.push(item);
    else for (const key in value) if (typeof value[key] === 'object') pending.push(value[key]);
  }
  return undefined;
}

/** Go sees a map here, and sorts its keys. */
const jsonReader: ValueReader = {
  omits: 'nothing',
  read: (value, state) => attempt(state, null, () => sortedCopy(value)),
  zero: () => null,
};

/** An element of the string lists in `dependencies`. */
const stringReader: ValueReader = {
  omits: 'nothing',
  read(value, state) {
    if (typeof value === 'string') return value;
    if (value !== null) state.failMismatch(value, 'string');
    return '';
  },
  zero: () => '',
};

class SchemaOrBoolReader implements ValueReader {
  readonly omits = 'nothing';
  readonly #schema: SchemaReader;

  constructor(schema: SchemaReader) {
    this.#schema = schema;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (typeof value === 'boolean') return value;
    if (isObject(value)) return readNested(this.#schema(), value, state);
    state.fail('boolean or JSON schema expected');
    return false;
  }

  zero(): JsonValue {
    return false;
  }
}

class SchemaOrListReader implements ValueReader {
  readonly omits = 'nothing';
  readonly #schema: SchemaReader;
  readonly #element: SchemaReader;

  constructor(schema: SchemaReader, element: SchemaReader) {
    this.#schema = schema;
    this.#element = element;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (isObject(value)) return readNested(this.#schema(), value, state);
    if (!Array.isArray(value) || value.length === 0) return null;
    return value.map((element) => readNested(this.#element(), element, state));
  }

  zero(): JsonValue {
    return null;
  }
}

/**
 * Go starts a new decoding for these: it does not report unknown fields inside, and an error inside is the whole error.
 */
function readNested(reader: ValueReader, value: JsonValue, state: DecodeState): JsonValue {
  const inner = state.nested();
  const result = reader.read(value, inner);
  state.failNested(inner);
  return result;
}

function attempt(state: DecodeState, fallback: JsonValue, read: () => JsonValue): JsonValue {
  try {
    return read();
  } catch (error) {
    state.fail((error as Error).message);
    return fallback;
  }
}
