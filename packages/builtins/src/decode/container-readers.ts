import { JsonFloat, setOwn, sortedKeys, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { DecodeState } from './decode-state.ts';
import type { ValueReader } from './value-reader.ts';

export class PointerReader implements ValueReader {
  readonly omits = 'nil';
  readonly #element: ValueReader;

  constructor(element: ValueReader) {
    this.#element = element;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    return value === null ? null : this.#element.read(value, state);
  }

  zero(): JsonValue {
    return null;
  }
}

export class ListReader implements ValueReader {
  readonly omits = 'empty';
  readonly #goName: string;
  readonly #element: ValueReader;

  constructor(goName: string, element: ValueReader) {
    this.#goName = goName;
    this.#element = element;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (!Array.isArray(value)) {
      if (value !== null) state.mismatch(value, this.#goName);
      return null;
    }
    // Kubernetes stores protobuf, which does not distinguish an empty list from an absent one.
    if (value.length === 0) return state.keepsEmpty ? [] : null;
    const list: JsonValue[] = [];
    for (let i = 0; i < value.length; i++) {
      state.enterEntry(i);
      list.push(this.#element.read(value[i] ?? null, state));
      state.leave();
    }
    return list;
  }

  zero(): JsonValue {
    return null;
  }
}

export class MapReader implements ValueReader {
  readonly omits = 'empty';
  readonly #goName: string;
  readonly #value: ValueReader;

  constructor(goName: string, value: ValueReader) {
    this.#goName = goName;
    this.#value = value;
  }

  read(value: JsonValue, state: DecodeState): JsonValue {
    if (!isObject(value)) {
      if (value !== null) state.mismatch(value, this.#goName);
      return null;
    }
    const keys = sortedKeys(value);
    if (keys.length === 0) return state.keepsEmpty ? {} : null;
    const map: JsonObject = {};
    for (const key of keys) {
      state.enterEntry(key);
      setOwn(map, key, this.#value.read(value[key] ?? null, state));
      state.leave();
    }
    return map;
  }

  zero(): JsonValue {
    return null;
  }
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonFloat);
}
