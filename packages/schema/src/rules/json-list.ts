import {
  ArrayList,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  equals,
  type CelValue,
  type Result,
} from '@flotilla/cel';
import type { JsonValue } from '@flotilla/kube';
import type { CelReader } from './cel-reader.ts';

/** A list whose items have an order. */
export class JsonList extends CelList {
  readonly #json: readonly JsonValue[];
  readonly #reader: CelReader;

  constructor(json: readonly JsonValue[], reader: CelReader) {
    super();
    this.#json = json;
    this.#reader = reader;
  }

  override get size(): number {
    return this.#json.length;
  }

  override at(index: number): Result {
    return this.#reader.read(this.#json[index] ?? null);
  }
}

/** Lists whose items have an identity instead of an order: Kubernetes' sets and lists by key. */
abstract class UnorderedList extends CelList {
  readonly #items: CelList;
  #indices: ReadonlyMap<string, number> | CelError | undefined;

  constructor(items: CelList) {
    super();
    this.#items = items;
  }

  override get size(): number {
    return this.#items.size;
  }

  override at(index: number): Result {
    return this.#items.at(index);
  }

  override equals(other: CelList): boolean | CelError {
    if (this.size !== other.size) return false;
    const indices = this.indices();
    if (indices instanceof CelError) return indices;
    for (let i = 0; i < other.size; i++) {
      const item = other.at(i);
      const identity = this.identityOf(item);
      if (identity instanceof CelError) return identity;
      const index = indices.get(identity);
      if (index === undefined) return false;
      const same = this.isSame(this.at(index), item);
      if (same !== true) return same;
    }
    return true;
  }

  override concat(other: CelList): CelList | CelError {
    const indices = this.indices();
    if (indices instanceof CelError) return indices;
    const values: CelValue[] = [];
    const known = new Map(indices);
    for (let i = 0; i < this.size; i++) {
      const item = this.at(i);
      if (item instanceof CelError) return item;
      values.push(item);
    }
    for (let i = 0; i < other.size; i++) {
      const item = other.at(i);
      const identity = this.identityOf(item);
      if (item instanceof CelError || identity instanceof CelError)
        return item instanceof CelError ? item : (identity as CelError);
      const index = known.get(identity);
      if (index === undefined) {
        known.set(identity, values.length);
        values.push(item);
      } else {
        values[index] = item;
      }
    }
    return this.from(new ArrayList(values));
  }

  protected abstract identityOf(item: Result): string | CelError;
  /** Compares items of equal identity. */
  protected abstract isSame(mine: Result, other: Result): boolean | CelError;
  protected abstract from(items: CelList): CelList;

  /** The index of the item with each identity; of several, the last. */
  protected indices(): ReadonlyMap<string, number> | CelError {
    return (this.#indices ??= this.#find());
  }

  #find(): ReadonlyMap<string, number> | CelError {
    const indices = new Map<string, number>();
    for (let i = 0; i < this.size; i++) {
      const identity = this.identityOf(this.at(i));
      if (identity instanceof CelError) return identity;
      indices.set(identity, i);
    }
    return indices;
  }
}

/** Equal in any order; `+` is the union. */
export class SetList extends UnorderedList {
  protected override identityOf(item: Result): string | CelError {
    return item instanceof CelError ? item : (scalarIdentity(item) ?? notHashable);
  }

  protected override isSame(): boolean {
    return true;
  }

  protected override from(items: CelList): CelList {
    return new SetList(items);
  }
}

/** Equal if items with the same keys are equal; `+` replaces those on the left. */
export class KeyedList extends UnorderedList {
  /** By their names in expressions. */
  readonly #keys: readonly string[];

  constructor(items: CelList, keys: readonly string[]) {
    super(items);
    this.#keys = keys;
  }

  protected override identityOf(item: Result): string | CelError {
    if (item instanceof CelError) return item;
    if (!(item instanceof CelMap)) return notAnItem;
    return this.#keys.map((key) => keyIdentity(item.get(key))).join('');
  }

  protected override isSame(mine: Result, other: Result): boolean | CelError {
    if (mine instanceof CelError) return mine;
    return other instanceof CelError ? other : equals(mine, other);
  }

  protected override from(items: CelList): CelList {
    return new KeyedList(items, this.#keys);
  }
}

const notHashable = new CelError('internal error: runtime error: hash of unhashable type map[string]interface {}');
const notAnItem = new CelError('unexpected data format for element of array with x-kubernetes-list-type=map');

function keyIdentity(value: Result | undefined): string {
  return value === undefined || value instanceof CelError ? ';' : (scalarIdentity(value) ?? ';');
}

/** Undefined for values that are not scalars. No identity is a prefix of another. */
function scalarIdentity(value: CelValue): string | undefined {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (typeof value === 'bigint') return `i${value};`;
  if (typeof value === 'number') return `f${value};`;
  if (typeof value === 'boolean' || value === null) return `${value};`;
  if (value instanceof CelTimestamp) return `t${value.nanos};`;
  if (value instanceof CelDuration) return `d${value.nanos};`;
  return value instanceof Uint8Array ? `x${Buffer.from(value).toString('hex')};` : undefined;
}
