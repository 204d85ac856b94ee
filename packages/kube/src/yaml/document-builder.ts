/**
 * Builds a document from the events of the YAML parser. Replays the events of an alias, within the limits of Go's
 * library. So no two places share an object, and alias bombs fail.
 */
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event } from 'js-yaml';
import { compareBytes, quote } from '../go/format.ts';
import { goJson } from '../json/go-json.ts';
import { JsonError } from '../json/json-error.ts';
import { maxJsonDepth } from '../json/parse-json.ts';
import { setOwn } from '../json/untrusted.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { resolveScalar } from './resolve-scalar.ts';
import { YamlError } from './yaml-error.ts';

export interface ParsedYaml {
  readonly value: JsonValue;
  /** `line 6: key "a" already set in map`, for each duplicate key. The last value counts. */
  readonly duplicates: readonly string[];
}

type Key = null | boolean | number | bigint | string;

/** For each object and list of a document, where in the text the values of its keys or items are. */
export type YamlPositions = WeakMap<object, ReadonlyMap<string | number, number>>;

interface OpenSequence {
  readonly items: JsonValue[];
  readonly start: number;
  /** Only where positions are recorded. */
  readonly positions?: Map<number, number> | undefined;
}

interface OpenMapping {
  /** By typed key: `1` and `"1"` differ until they become JSON. */
  readonly entries: Map<Key, JsonValue>;
  readonly start: number;
  /** Only where positions are recorded, as the next. */
  readonly positions?: Map<string, number> | undefined;
  /** Keys that merge keys brought. */
  readonly inherited?: Set<Key> | undefined;
  key: Key | typeof mergeKey | undefined;
}

type OpenCollection = OpenSequence | OpenMapping;

const mergeKey = Symbol('<<');

/** The line number of a duplicate costs time in proportion to its position. */
const maxDuplicates = 100;

/** The events that an alias repeats. */
interface Replay {
  readonly resumeAt: number;
  readonly end: number;
}

/** Records the positions of all values in `positions` if it is given. */
export function buildDocument(events: readonly Event[], source: string, positions?: YamlPositions): ParsedYaml {
  return new DocumentBuilder(events, source, positions).build();
}

class DocumentBuilder {
  readonly #events: readonly Event[];
  readonly #source: string;
  readonly #targets: ReadonlyMap<number, Target>;
  readonly #open: OpenCollection[] = [];
  readonly #replays: Replay[] = [];
  readonly #duplicates: string[] = [];
  readonly #budget = new AliasBudget();
  readonly #positions: YamlPositions | undefined;
  #at = 1;
  #root: JsonValue = null;

  constructor(events: readonly Event[], source: string, positions: YamlPositions | undefined) {
    this.#events = events;
    this.#source = source;
    this.#positions = positions;
    this.#targets = aliasTargets(events, source);
  }

  build(): ParsedYaml {
    for (;;) {
      const event = this.#next();
      if (event === undefined || (event.type === EVENT_ID.POP && this.#open.length === 0)) break;
      this.#take(event);
    }
    return { value: this.#root, duplicates: this.#duplicates };
  }

  #next(): Event | undefined {
    for (let replay = this.#replays.at(-1); replay?.end === this.#at; replay = this.#replays.at(-1)) {
      this.#at = replay.resumeAt;
      this.#replays.pop();
    }
    return this.#events[this.#at++];
  }

  #take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        this.#takeScalar(event);
        break;
      case EVENT_ID.SEQUENCE:
        this.#push({ items: [], start: event.start, positions: this.#positions && new Map() });
        break;
      case EVENT_ID.MAPPING:
        this.#push({
          entries: new Map(),
          key: undefined,
          start: event.start,
          positions: this.#positions && new Map(),
          inherited: this.#positions && new Set(),
        });
        break;
      case EVENT_ID.ALIAS:
        this.#replay(this.#at - 1);
        break;
      case EVENT_ID.POP:
        this.#pop();
        break;
      case EVENT_ID.DOCUMENT:
        break;
    }
  }

  #takeScalar(event: Event & { type: typeof EVENT_ID.SCALAR }): void {
    const text = event.valueStart === -1 && event.valueEnd === -1 ? '' : getScalarValue(this.#source, event);
    const tag = event.tagStart === -1 ? '' : this.#source.slice(event.tagStart, event.tagEnd);
    const isPlain = event.style === SCALAR_STYLE.PLAIN;
    this.#budget.spend(text.length, this.#replays.length > 0);
    const isMergeKey = text === '<<' && (tag === '!!merge' || (isPlain && tag === ''));
    const mapping = this.#mappingAwaitingKey();
    if (isMergeKey && mapping !== undefined) mapping.key = mergeKey;
    else this.#add(resolveScalar(text, tag, isPlain), event.valueStart);
  }

  #push(collection: OpenCollection): void {
    this.#budget.spend(0, this.#replays.length > 0);
    if (this.#open.length >= maxJsonDepth) throw new YamlError(`exceeded max depth of ${maxJsonDepth}`);
    this.#open.push(collection);
  }

  #pop(): void {
    const collection = this.#open.pop();
    if (collection === undefined) return;
    const value = 'items' in collection ? collection.items : jsonObjectFrom(collection.entries);
    if (collection.positions !== undefined) this.#positions?.set(value, collection.positions);
    this.#add(value, -1, collection.start);
  }

  #replay(index: number): void {
    const target = this.#targets.get(index);
    if (target === undefined) return;
    if (target.end > index) throw new YamlError(`anchor '${target.anchor}' value contains itself`);
    this.#budget.spend(0, this.#replays.length > 0);
    this.#replays.push({ resumeAt: this.#at, end: target.end });
    this.#at = target.start;
  }

  /** `position` is that of a scalar, or -1. `start` is where the value begins. */
  #add(value: JsonValue, position: number, start = position): void {
    const collection = this.#open.at(-1);
    if (collection === undefined) this.#root = value;
    else if ('items' in collection) {
      collection.positions?.set(collection.items.length, start);
      collection.items.push(value);
    } else if (collection.key === undefined) {
      collection.key = keyFrom(value);
      collection.positions?.set(String(collection.key), start);
    } else this.#addEntry(collection, value, position);
  }

  #addEntry(mapping: OpenMapping, value: JsonValue, position: number): void {
    const { key, entries } = mapping;
    mapping.key = undefined;
    if (key === mergeKey) {
      for (const merged of mergedMappings(value)) {
        if (mapping.inherited !== undefined) this.#inherit(mapping, merged, mapping.inherited);
        else for (const [name, item] of Object.entries(merged)) this.#set(entries, name, item ?? null, position);
      }
    } else if (key !== undefined) {
      if (mapping.inherited?.delete(key)) entries.delete(key);
      this.#set(entries, key, value, position);
    }
  }

  /** As YAML defines it, unlike Go's library: a key of the mapping itself wins, wherever it is, and is no duplicate. */
  #inherit({ entries, positions }: OpenMapping, merged: JsonObject, inherited: Set<Key>): void {
    for (const [name, item] of Object.entries(merged)) {
      if (entries.has(name) && !inherited.has(name)) continue;
      entries.set(name, item ?? null);
      inherited.add(name);
      const position = this.#positions?.get(merged)?.get(name);
      if (position !== undefined) positions?.set(name, position);
    }
  }

  #set(entries: Map<Key, JsonValue>, key: Key, value: JsonValue, position: number): void {
    const { size } = entries;
    entries.set(key, value);
    if (entries.size === size) this.#reportDuplicate(key, position);
  }

  #reportDuplicate(key: Key, position: number): void {
    if (this.#duplicates.length >= maxDuplicates) return;
    const line = lineAt(this.#source, position === -1 ? this.#positionOfLastEvent() : position);
    const name = typeof key === 'string' ? quote(key) : String(key);
    this.#duplicates.push(`line ${line}: key ${name} already set in map`);
  }

  /** A collection has no position of its own. Uses that of the last scalar in it. */
  #positionOfLastEvent(): number {
    for (let i = this.#at - 1; i > 0; i--) {
      const event = this.#events[i];
      if (event?.type === EVENT_ID.SCALAR && event.valueStart !== -1) return event.valueStart;
    }
    return 0;
  }

  #mappingAwaitingKey(): OpenMapping | undefined {
    const collection = this.#open.at(-1);
    return collection !== undefined && 'entries' in collection && collection.key === undefined ? collection : undefined;
  }
}

interface Target {
  readonly anchor: string;
  readonly start: number;
  readonly end: number;
}

const noTargets: ReadonlyMap<number, Target> = new Map();

/** The events that each alias repeats: those of the last node with its anchor before it. */
function aliasTargets(events: readonly Event[], source: string): ReadonlyMap<number, Target> {
  if (!events.some(({ type }) => type === EVENT_ID.ALIAS)) return noTargets;
  const ends = collectionEnds(events);
  const anchors = new Map<string, Target>();
  const targets = new Map<number, Target>();
  for (const [i, event] of events.entries()) {
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.anchorStart === -1) continue;
    const anchor = source.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.ALIAS) {
      const target = anchors.get(anchor);
      if (target === undefined) throw new YamlError(`unknown anchor '${anchor}' referenced`);
      targets.set(i, target);
    } else {
      anchors.set(anchor, { anchor, start: i, end: ends.get(i) ?? i + 1 });
    }
  }
  return targets;
}

function collectionEnds(events: readonly Event[]): Map<number, number> {
  const open: number[] = [];
  const ends = new Map<number, number>();
  for (const [i, { type }] of events.entries()) {
    if (type === EVENT_ID.POP) ends.set(open.pop() ?? 0, i + 1);
    else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) open.push(i);
  }
  return ends;
}

function lineAt(source: string, position: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < position; at = source.indexOf('\n', at + 1)) line++;
  return line;
}

function keyFrom(value: JsonValue): Key {
  if (value === null || typeof value !== 'object') return value;
  if ('toJSON' in value) return Number(value.value);
  throw new YamlError(`invalid map key: ${goJson(value)}`);
}

/** Earlier mappings of a list win, so they are applied last. */
function mergedMappings(value: JsonValue): JsonObject[] {
  const mappings = Array.isArray(value) ? value.toReversed() : [value];
  if (!mappings.every((mapping) => isJsonObject(mapping))) {
    throw new YamlError('map merge requires map or sequence of maps as the value');
  }
  return mappings;
}

/** Go prints the map as JSON, which sorts its keys. */
function jsonObjectFrom(entries: ReadonlyMap<Key, JsonValue>): JsonObject {
  const object: JsonObject = {};
  const keys = [...entries.keys()];
  if (keys.every((key) => typeof key === 'string')) {
    for (const key of keys.sort(compareBytes)) setOwn(object, key, entries.get(key) ?? null);
    return object;
  }
  const named = Array.from(entries, ([key, value]) => [nameOf(key, value), value] as const);
  for (const [name, value] of named.sort(([a], [b]) => compareBytes(a, b))) setOwn(object, name, value);
  return object;
}

function nameOf(key: Key, value: JsonValue): string {
  if (key !== null) return String(key);
  throw new JsonError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goJson(value)}`);
}

/** Between these sizes the allowed share of aliases falls from 99 % to 10 %. */
const smallDocumentNodes = 400_000;
const largeDocumentNodes = 4_000_000;

/** Long repeated texts count as few nodes, but fill the memory. */
const maxRepeatedCharacters = 16 * 1024 * 1024;

/** Limits how much of a document may come from aliases, as Go's library does. */
class AliasBudget {
  #nodes = 0;
  #repeatedNodes = 0;
  #repeatedCharacters = 0;

  spend(characters: number, isRepeated: boolean): void {
    this.#nodes++;
    if (!isRepeated) return;
    this.#repeatedNodes++;
    this.#repeatedCharacters += characters;
    if (this.#isExcessive()) throw new YamlError('document contains excessive aliasing');
  }

  #isExcessive(): boolean {
    if (this.#repeatedCharacters > maxRepeatedCharacters) return true;
    if (this.#repeatedNodes <= 100 || this.#nodes <= 1000) return false;
    return this.#repeatedNodes / this.#nodes > allowedShare(this.#nodes);
  }
}

function allowedShare(nodes: number): number {
  if (nodes <= smallDocumentNodes) return 0.99;
  if (nodes >= largeDocumentNodes) return 0.1;
  return 0.99 - (0.89 * (nodes - smallDocumentNodes)) / (largeDocumentNodes - smallDocumentNodes);
}
