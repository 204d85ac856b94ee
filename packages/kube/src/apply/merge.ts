/** Merges a configuration into the live object. The result shares nothing with either. */
import { setOwn } from '../json/untrusted.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { checkedItemElement } from './list-item.ts';
import {
  atomOf,
  entryOf,
  entryType,
  isEmptyMap,
  listIn,
  mapIn,
  type ListMerge,
  type MapMerge,
  type MergeType,
} from './merge-type.ts';
import { elementText, type PathElement } from './path-element.ts';
import { SchemaError } from './schema-error.ts';

/** The configuration wins at leaves. Maps and associative lists are merged, atomic ones replaced. */
export function mergeTyped(type: MergeType, live: JsonValue, config: JsonValue): JsonValue {
  return mergeValue(type, live, config) ?? null;
}

function mergeValue(
  type: MergeType,
  live: JsonValue | undefined,
  config: JsonValue | undefined,
): JsonValue | undefined {
  if (config === undefined) return live === undefined ? undefined : copyValue(live);
  if (live === undefined) return copyValue(config);
  const atom = atomOf(type, config);
  if (atom === 'map' && type.map?.relationship === 'separable') return mergeMap(type.map, live, config);
  if (atom === 'list' && type.list?.relationship === 'associative') return mergeList(type.list, live, config);
  return copyValue(config);
}

function mergeMap(map: MapMerge, live: JsonValue, config: JsonValue): JsonValue {
  const under = mapIn(live);
  const over = mapIn(config);
  // Two empty maps are a leaf, because null differs from {}.
  if (isEmptyMap(under) && isEmptyMap(over)) return copyValue(config);
  const merged: JsonObject = {};
  for (const key of Object.keys(under)) mergeEntry(merged, map, key, under[key], entryOf(over, key));
  for (const key of Object.keys(over)) {
    if (!Object.hasOwn(under, key)) mergeEntry(merged, map, key, undefined, over[key]);
  }
  return merged;
}

function mergeEntry(
  into: JsonObject,
  map: MapMerge,
  key: string,
  live: JsonValue | undefined,
  config: JsonValue | undefined,
): void {
  const type = entryType(map, key);
  const value = type === undefined ? undefined : mergeValue(type, live, config);
  if (value !== undefined) setOwn(into, key, value);
}

function mergeList(list: ListMerge, live: JsonValue, config: JsonValue): JsonValue {
  const under = listIn(live);
  const over = listIn(config);
  if (under.length === 0 && over.length === 0) return copyValue(config);
  return new ListMerger(list, under, over).merge();
}

/**
 * Merges two associative lists. Shared items have the order of the configuration. Other live items stay beside their
 * neighbours.
 */
class ListMerger {
  readonly #type: MergeType;
  readonly #live: readonly JsonValue[];
  readonly #liveElements: readonly PathElement[];
  readonly #configElements: readonly PathElement[];
  readonly #liveItems = new Map<PathElement, JsonValue | null>();
  readonly #configItems = new Map<PathElement, JsonValue>();
  readonly #taken = new Set<PathElement>();
  readonly #merged: JsonValue[] = [];
  /** Elements of both lists in the order of the configuration. The last one comes next. */
  readonly #shared: PathElement[];

  constructor(list: ListMerge, live: readonly JsonValue[], config: readonly JsonValue[]) {
    this.#type = list.element();
    this.#live = live;
    this.#configElements = config.map((item, index) => this.#indexConfig(checkedItemElement(list, item, index), item));
    this.#liveElements = live.map((item, index) => this.#indexLive(checkedItemElement(list, item, index), item));
    this.#shared = this.#configElements.filter((element) => this.#liveItems.has(element)).reverse();
  }

  merge(): JsonValue[] {
    let l = 0;
    let c = 0;
    while (l < this.#liveElements.length || c < this.#configElements.length) {
      const live = this.#liveElements[l];
      const config = this.#configElements[c];
      if (live !== undefined && config !== undefined) {
        if (live === config) {
          this.#take(config);
          this.#shared.pop();
          l++;
          c++;
          continue;
        }
        if (this.#comesLater(live)) {
          l++;
          continue;
        }
      }
      if (live !== undefined) {
        if (!this.#configItems.has(live)) {
          this.#merged.push(copyValue(this.#live[l] as JsonValue));
          l++;
          continue;
        }
        if (this.#taken.has(live)) l++;
      }
      if (config !== undefined) {
        this.#take(config);
        if (this.#shared.at(-1) === config) this.#shared.pop();
        c++;
      }
    }
    return this.#merged;
  }

  #indexConfig(element: PathElement, item: JsonValue): PathElement {
    if (this.#configItems.has(element)) {
      throw new SchemaError([{ path: '', message: `duplicate entries for key ${elementText(element)}` }]);
    }
    this.#configItems.set(element, item);
    return element;
  }

  /** Duplicate live items cannot be distinguished, so the configuration merges with none of them. */
  #indexLive(element: PathElement, item: JsonValue): PathElement {
    this.#liveItems.set(element, this.#liveItems.has(element) ? null : item);
    return element;
  }

  /** A live item that is in the configuration, but not the next shared one. */
  #comesLater(element: PathElement): boolean {
    const next = this.#shared.at(-1);
    return next !== undefined && next !== element && this.#configItems.has(element);
  }

  #take(element: PathElement): void {
    this.#taken.add(element);
    const item = mergeValue(this.#type, this.#liveItems.get(element), this.#configItems.get(element));
    if (item !== undefined) this.#merged.push(item);
  }
}

export function copyValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyValue);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const entry = value[key];
    if (entry !== undefined) setOwn(copy, key, copyValue(entry));
  }
  return copy;
}
