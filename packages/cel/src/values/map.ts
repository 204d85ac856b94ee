import { CelMap, CelUint, type CelValue, type Result } from '../value.ts';

/** A map whose entries exist already, such as an expression writes. Equal numbers are one key, whatever their type. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<MapKey, { readonly key: CelValue; readonly value: CelValue }>();

  override get size(): number {
    return this.#entries.size;
  }

  override get(key: CelValue): Result | undefined {
    const identity = mapKey(key);
    return identity === undefined ? undefined : this.#entries.get(identity)?.value;
  }

  override *keys(): Iterable<CelValue> {
    for (const entry of this.#entries.values()) yield entry.key;
  }

  /** False: nothing of this type can be a key. Only for who builds the map. */
  set(key: CelValue, value: CelValue): boolean {
    const identity = mapKey(key);
    if (identity === undefined) return false;
    this.#entries.set(identity, { key, value });
    return true;
  }
}

type MapKey = string | boolean | bigint;

/** What JavaScript can tell keys apart by. A double finds the integer that it equals. */
export function mapKey(key: CelValue): MapKey | undefined {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof CelUint) return key.value;
  if (typeof key === 'number' && Number.isInteger(key)) return BigInt(key);
  return undefined;
}
