import {
  apiVersionOf,
  initialEventsEndKey,
  stringifyJson,
  type ApiStatus,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import { plainJson, type Representation } from '../../request/negotiate.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Entry, StoreEvent } from '../../store/store.ts';
import { partialMetadata } from '../../representation/partial-metadata.ts';
import { columnDefinitions, columnsOf, includeObject, tableRow, withEmptyCells } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import type { EventType, FrameContent } from '../../call/heavy-work.ts';
import { unlessTooManyParts } from '../../resources/too-many-parts.ts';
import { isServedAsStored, readEntry } from '../../representation/read-entry.ts';

/** Encodes events. Frames with the stored bytes are encoded once and shared by all watches. */
export interface FrameEncoder {
  /** Whether frames are encoded from parsed objects, which is slow, and not from stored bytes. */
  readonly encodesObjects: boolean;
  readonly ofEntry: (entry: Entry) => Frame;
  readonly ofEvent: (event: StoreEvent, type: EventType) => Frame;
  /** `endsInitialEvents`: all initial events have been sent. */
  readonly bookmark: (revision: number, endsInitialEvents: boolean) => Uint8Array;
  readonly error: (status: ApiStatus) => Uint8Array;
}

/** A promise if a webhook must convert the object, or the worker encodes it. */
export type Frame = Uint8Array | Promise<Uint8Array>;

export function frameEncoder(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const { encoding, as } = representation;
  const isPlain = as === 'object' && encoding !== 'protobuf';
  return isPlain ? plainFrames(call, resource) : unsharedFrames(call, representation);
}

const initialEventsEnd = { [initialEventsEndKey]: 'true' };

function bookmarkObject(resource: Resource, revision: number, endsInitialEvents: boolean): KubeObject {
  const metadata = { resourceVersion: String(revision), ...(endsInitialEvents && { annotations: initialEventsEnd }) };
  return resource.codec.inWireOrder({ kind: resource.kind, apiVersion: apiVersionOf(resource), metadata });
}

function jsonFrame(type: string, object: JsonObject): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`);
}

function plainFrames(call: Call, resource: Resource): FrameEncoder {
  return {
    encodesObjects: resource.storedForm !== undefined,
    ofEntry: (entry) =>
      isServedAsStored(resource, entry)
        ? frameOfBytes('ADDED', entry.bytes)
        : makeFrame(call, plainJson, { type: 'ADDED', entry }),
    ofEvent: (event, type) =>
      isSentAsStored(resource, event, type)
        ? sharedFrame(event, `json:${type}`, () => frameOfBytes(type, event.entry.bytes))
        : convertedFrame(call, event, type),
    bookmark: (revision, endsInitialEvents) =>
      jsonFrame('BOOKMARK', bookmarkObject(resource, revision, endsInitialEvents)),
    error: (status) => jsonFrame('ERROR', status),
  };
}

const converting = new WeakMap<StoreEvent, Map<string, Promise<Uint8Array>>>();

/** Encodes a frame once for all watches of the same version, also while a webhook converts it. */
function convertedFrame(call: Call, event: StoreEvent, type: EventType): Frame {
  const key = `json:${type}:${call.resource.storedForm?.key ?? ''}`;
  const known = event.encoded.get(key) ?? converting.get(event)?.get(key);
  if (known) return known;
  const frame = after(makeFrame(call, plainJson, frameContentOf(event, type)), (encoded) => {
    event.encoded.set(key, encoded);
    return encoded;
  });
  if (frame instanceof Promise) rememberConversion(event, key, frame);
  return frame;
}

function rememberConversion(event: StoreEvent, key: string, frame: Promise<Uint8Array>): void {
  const ofEvent = converting.get(event) ?? new Map<string, Promise<Uint8Array>>();
  converting.set(event, ofEvent.set(key, frame));
  const forget = (): boolean => ofEvent.delete(key);
  frame.then(forget, forget);
}

function after<T, U>(value: T | Promise<T>, next: (value: T) => U): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

const prefixes: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const suffix = Buffer.from('}\n');

/** Stored bytes end in a newline, which a frame must not contain. */
function frameOfBytes(type: EventType, bytes: Uint8Array): Uint8Array {
  const prefix = prefixes[type];
  const length = bytes.length - 1;
  const frame = Buffer.allocUnsafe(prefix.length + length + suffix.length);
  frame.set(prefix, 0);
  frame.set(bytes.subarray(0, length), prefix.length);
  frame.set(suffix, prefix.length + length);
  return frame;
}

function sharedFrame(event: StoreEvent, key: string, make: () => Uint8Array): Uint8Array {
  let frame = event.encoded.get(key);
  if (!frame) event.encoded.set(key, (frame = make()));
  return frame;
}

function isSentAsStored(resource: Resource, event: StoreEvent, type: EventType): boolean {
  return !isLostBySelector(event, type) && isServedAsStored(resource, event.entry);
}

/** A watch whose selector no longer matches gets the previous state, at the revision of the change. */
function isLostBySelector(event: StoreEvent, type: EventType): boolean {
  return type === 'DELETED' && event.type === 'put' && event.previous !== undefined;
}

function frameContentOf(event: StoreEvent, type: EventType): FrameContent {
  const { entry, previous, revision } = event;
  return previous && isLostBySelector(event, type) ? { type, entry: previous, lostAt: revision } : { type, entry };
}

/** Frames that are not shared: Table, PartialObjectMetadata, protobuf. */
function unsharedFrames(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const frame = framer(resource, representation);
  let isFirst = true;
  const next = <T>(make: (isFirst: boolean) => T): T => {
    const first = isFirst;
    isFirst = false;
    return make(first);
  };
  return {
    encodesObjects: true,
    ofEntry: (entry) => next((first) => makeFrame(call, representation, { type: 'ADDED', entry, isFirst: first })),
    ofEvent: (event, type) =>
      next((first) => makeFrame(call, representation, { ...frameContentOf(event, type), isFirst: first })),
    bookmark: (revision, endsInitialEvents) =>
      next((first) => {
        const show = transformation(call, representation, first);
        return frame('BOOKMARK', show(bookmarkObject(resource, revision, endsInitialEvents), true));
      }),
    error: (status) => frame('ERROR', status),
  };
}

/** Encodes a frame from a parsed object; a large one in the thread for heavy requests. */
export function makeFrame(call: Call, representation: Representation, content: FrameContent): Frame {
  const { heavy } = call.server;
  const { type, entry, lostAt, isFirst = false } = content;
  if (heavy?.isHeavy(entry.bytes.length)) return heavy.frame(call, representation, content);
  const frame = after(readEntry(call.resource, entry), (object) => {
    if (lostAt !== undefined) object.metadata.resourceVersion = String(lostAt);
    const shown = transformation(call, representation, isFirst)(object);
    return framer(call.resource, representation)(type, shown);
  });
  if (!heavy || !(frame instanceof Promise)) return frame;
  return unlessTooManyParts(frame, () => heavy.frame(call, representation, content));
}

type Show = (object: KubeObject, isBookmark?: boolean) => JsonObject;

function framer(
  resource: Resource,
  { encoding, as }: Representation,
): (type: string, object: JsonObject) => Uint8Array {
  const encode = encoding === 'protobuf' && as !== 'Table' ? resource.codec.encodeProtobufEvent : undefined;
  return encode ?? jsonFrame;
}

function transformation(call: Call, { as, metaVersion }: Representation, isFirst: boolean): Show {
  if (as === 'PartialObjectMetadata') return (object) => partialMetadata(object, metaVersion, call.resource.codec);
  return as === 'Table' ? tableFrame(call, metaVersion, isFirst) : (object) => object;
}

/** Each event is a table of one row; only the first names the columns. */
function tableFrame(call: Call, metaVersion: string, isFirst: boolean): Show {
  const columns = columnsOf(call);
  const emptyColumns = withEmptyCells(columns);
  const { codec } = call.resource;
  const include = includeObject(call.info.query);
  return (object, isBookmark = false) => {
    // The annotation that ends the initial events is in the metadata.
    const endsInitialEvents = object.metadata.annotations === initialEventsEnd;
    const shownPart = endsInitialEvents && include === 'None' ? 'Metadata' : include;
    const definitions = isFirst ? columnDefinitions(columns) : null;
    const form = {
      columns: isBookmark ? emptyColumns : columns,
      codec,
      include: shownPart,
      version: metaVersion,
      now: call.server.now(),
    };
    return {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${metaVersion}`,
      metadata: { resourceVersion: object.metadata.resourceVersion ?? '' },
      columnDefinitions: definitions,
      rows: [tableRow(form, object)],
    };
  };
}

interface Run {
  readonly frames: readonly Uint8Array[];
  readonly joined: Uint8Array;
}

/** Watches without a backlog send the same frames one after another, so a hundred of them share one copy. */
let newestRun: Run | undefined;

/** Concatenates frames. Frames are immutable, so the same arrays have the same content. */
export function joinedFrames(frames: readonly Uint8Array[]): Uint8Array {
  const [first] = frames;
  if (frames.length === 1 && first) return first;
  if (newestRun && isSame(newestRun.frames, frames)) return newestRun.joined;
  const joined = Buffer.concat(frames);
  newestRun = { frames, joined };
  return joined;
}

function isSame(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((frame, index) => frame === b[index]);
}
