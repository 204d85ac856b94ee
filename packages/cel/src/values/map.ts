import { CelMap, CelUint, type CelValue, type Result } from '../value.ts';

/** A map whose entries exist already, such as an expression writes. Equal numbers are one key, whatever their type. */
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

  /** Only for who builds the map, as is `delete`. */
  set(key: CelValue, value: CelValue): void {
    this.#entries.set(mapKey(key), { key, value });
  }

  delete(key: CelValue): void {
    this.#entries.delete(mapKey(key));
  }
}

/** What JavaScript can tell keys apart by: an integer of any type, also one written as a double, is its bigint. */
export function mapKey(key: CelValue): CelValue {
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}
