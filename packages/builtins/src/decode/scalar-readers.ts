import { JsonFloat, reparsedFloat, type JsonValue } from '@flotilla/kube';
import type { IntegerKind, ScalarType } from '../table/go-type.ts';
import { Base64Error, canonicalBase64 } from './base64.ts';
import type { DecodeState } from './decode-state.ts';
import type { ValueReader } from './value-reader.ts';

export function scalarReader(type: ScalarType): ValueReader {
  switch (type.kind) {
    case 'string':
      return new StringReader(type.goName);
    case 'bool':
      return new BoolReader(type.goName);
    case 'float64':
      return new FloatReader(type.goName);
    case 'int32':
    case 'int64':
      return new IntegerReader(type.goName, type.kind);
  }
}

class StringReader implements ValueReader {
  readonly omits = 'zero';
  readonly #goName: string;

  constructor(goName: string) {
    this.#goName = goName;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (typeof value === 'string') return value;
    if (value !== null) state.mismatch(value, this.#goName);
    return '';
  }

  zero(): JsonValue {
    return '';
  }
}

class BoolReader implements ValueReader {
  readonly omits = 'zero';
  readonly #goName: string;

  constructor(goName: string) {
    this.#goName = goName;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (typeof value === 'boolean') return value;
    if (value !== null) state.mismatch(value, this.#goName);
    return false;
  }

  zero(): JsonValue {
    return false;
  }
}

/** Go's number of bits. */
const bitsOf: Readonly<Record<IntegerKind, number>> = { int32: 32, int64: 64 };

const maxInt32 = 2 ** 31 - 1;
const minInt32 = -(2 ** 31);

/** Whether Go can store the number. The parser guarantees that bigints fit into an int64. */
export function fitsInteger(value: JsonValue, kind: IntegerKind): value is number | bigint {
  if (typeof value === 'number') {
    return Number.isInteger(value) && (kind === 'int64' || (value <= maxInt32 && value >= minInt32));
  }
  return typeof value === 'bigint' && kind === 'int64';
}

/** `-0`, which is an integer to Go. */
export function isMinusZero(value: JsonValue): boolean {
  return value instanceof JsonFloat && value.literal === '-0';
}

/** Go's conversion of a whole number, which cuts off what does not fit; a float beyond an int64 becomes the least one. */
function convertedInteger(value: JsonValue, kind: IntegerKind): number | bigint | undefined {
  const size = value instanceof JsonFloat ? value.value : value;
  if (typeof size !== 'bigint' && !(typeof size === 'number' && Number.isInteger(size))) return undefined;
  const isInt64 = typeof size === 'bigint' || (size >= -(2 ** 63) && size < 2 ** 63);
  const wide = isInt64 ? BigInt(size) : -(2n ** 63n);
  const cut = BigInt.asIntN(bitsOf[kind], wide);
  return Number.isSafeInteger(Number(cut)) ? Number(cut) : cut;
}

class IntegerReader implements ValueReader {
  readonly omits = 'zero';
  readonly #goName: string;
  readonly #kind: IntegerKind;

  constructor(goName: string, kind: IntegerKind) {
    this.#goName = goName;
    this.#kind = kind;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (fitsInteger(value, this.#kind)) return value;
    if (isMinusZero(value)) return 0;
    const converted = state.isConverted ? convertedInteger(value, this.#kind) : undefined;
    if (converted !== undefined) return converted;
    if (typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonFloat) {
      state.numberMismatch(value, this.#goName);
    } else if (value !== null) {
      state.mismatch(value, this.#goName);
    }
    return 0;
  }

  zero(): JsonValue {
    return 0;
  }
}

class FloatReader implements ValueReader {
  readonly omits = 'zero';
  readonly #goName: string;

  constructor(goName: string) {
    this.#goName = goName;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (typeof value === 'number') return value;
    // The value as the store returns it; otherwise a write that changes nothing would look like a change.
    if (typeof value === 'bigint') return reparsedFloat(Number(value));
    if (value instanceof JsonFloat && Number.isFinite(value.value)) return reparsedFloat(value.value);
    if (value instanceof JsonFloat) state.numberMismatch(value, this.#goName);
    else if (value !== null) state.mismatch(value, this.#goName);
    return 0;
  }

  zero(): JsonValue {
    return 0;
  }
}

export class BytesReader implements ValueReader {
  readonly omits = 'empty';
  readonly #goName: string;
  /** The result for nil: the store returns empty bytes for an entry of a map, nil for a field. */
  readonly #nil: '' | null;

  constructor(goName: string, nil: '' | null) {
    this.#goName = goName;
    this.#nil = nil;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (typeof value === 'string') return this.#readText(value, state);
    if (Array.isArray(value)) return readByteList(value, state);
    if (value !== null) state.mismatch(value, this.#goName);
    return this.#nil;
  }

  zero(): JsonValue {
    return this.#nil;
  }

  #readText(text: string, state: DecodeState): JsonValue {
    try {
      return canonicalBase64(text);
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error;
      state.recordError(error.message);
      return this.#nil;
    }
  }
}

/** Go also accepts a list of numbers for bytes. */
function readByteList(values: readonly JsonValue[], state: DecodeState): JsonValue {
  const bytes = new Uint8Array(values.length);
  for (const [i, value] of values.entries()) {
    if (fitsInteger(value, 'int32') && value >= 0 && value <= 255) bytes[i] = Number(value);
    else if (typeof value === 'number' || typeof value === 'bigint') state.numberMismatch(value, 'uint8');
    else if (value !== null) state.mismatch(value, 'uint8');
  }
  return Buffer.from(bytes).toString('base64');
}
