import { CelMap, CelUint, type CelValue, type Result } from '../value.ts';

/** A map backed by entries. Equal numbers are one key, whatever their type. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<CelValue, { readonly key: CelValue; readonly value: CelValue }>();

  override get size(): number {
    return this.#entries.size;
  }

  override get(key: CelValue): Result | undefined {
    return this.#entries.get(mapKey(key))?.value;
  }

  override *keys(): Iterable<CelValue> {
    for (const entry of this.#entries.values()) yield entry.key;
  }

  /** Only for the creator of the map, like `delete`. */
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(mapKey(key), { key, value });
  }

  delete(key: CelValue): void {
    this.#entries.delete(mapKey(key));
  }
}

/** A key that JavaScript compares by value: integers of any type, also whole doubles, become bigints. */
export function mapKey(key: CelValue): CelValue {
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}
