import { goJson, JsonFloat, type JsonValue } from '@flotilla/kube';

/** Counts equal values in linear time. `1` and `1.0` are two values, and nothing is one too. */
export class KeySet {
  readonly #scalars = new Map<JsonValue | undefined, number>();
  /** Values made of parts, and floats, which are objects here. */
  #texts: Map<string, number> | undefined;

  /** How often the value was added before. */
  add(value: JsonValue | undefined): number {
    if (typeof value !== 'object' || value === null) return increment(this.#scalars, value);
    this.#texts ??= new Map();
    return increment(this.#texts, value instanceof JsonFloat ? `float ${value.value}` : goJson(value));
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}
