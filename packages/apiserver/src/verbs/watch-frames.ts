import { apiVersionOf, stringifyJson, type ApiStatus, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Representation } from '../http/negotiate.ts';
import type { Resource } from '../resources/resource.ts';
import type { Entry, StoreEvent } from '../store/store.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { columnDefinitions, columnsOf, includeObject, tableRow, withEmptyCells } from '../tables/table.ts';
import type { Call } from './context.ts';
import { isShown, readEntry } from './represent.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Turns events into what goes over the wire. Frames of the stored form are made once and shared by all watches. */
export interface FrameEncoder {
  readonly ofEntry: (entry: Entry) => Frame;
  readonly ofEvent: (event: StoreEvent, type: EventType) => Frame;
  /** How far this watch has come; `endsState`: all of the state it began with has been sent. */
  readonly bookmark: (revision: number, endsState: boolean) => Uint8Array;
  readonly error: (status: ApiStatus) => Uint8Array;
}

/** Promised where a webhook must convert the object first. */
export type Frame = Uint8Array | Promise<Uint8Array>;

export function frameEncoder(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const { encoding, as } = representation;
  const isPlain = as === 'object' && encoding !== 'protobuf';
  return isPlain ? plainFrames(resource) : shownFrames(call, representation);
}

const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

function bookmarkObject(resource: Resource, revision: number, endsState: boolean): KubeObject {
  const metadata = { resourceVersion: String(revision), ...(endsState && { annotations: initialEventsEnd }) };
  return resource.codec.inWireOrder({ kind: resource.kind, apiVersion: apiVersionOf(resource), metadata });
}

function jsonFrame(type: string, object: JsonObject): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`);
}

function plainFrames(resource: Resource): FrameEncoder {
  return {
    ofEntry: (entry) =>
      isShown(resource, entry)
        ? framed('ADDED', entry.bytes)
        : after(readEntry(resource, entry), (object) => jsonFrame('ADDED', object)),
    ofEvent: (event, type) =>
      isSentAsStored(resource, event, type)
        ? sharedFrame(event, `json:${type}`, () => framed(type, event.entry.bytes))
        : convertedFrame(resource, event, type),
    bookmark: (revision, endsState) => jsonFrame('BOOKMARK', bookmarkObject(resource, revision, endsState)),
    error: (status) => jsonFrame('ERROR', status),
  };
}

const converting = new WeakMap<StoreEvent, Map<string, Promise<Uint8Array>>>();

/** Made once for all watches that read alike, even while a webhook is at it. */
function convertedFrame(resource: Resource, event: StoreEvent, type: EventType): Frame {
  const key = `json:${type}:${resource.storedForm?.key ?? ''}`;
  const known = event.encoded.get(key) ?? converting.get(event)?.get(key);
  if (known) return known;
  const frame = after(objectFor(resource, event, type), (object) => {
    const made = jsonFrame(type, object);
    event.encoded.set(key, made);
    return made;
  });
  if (frame instanceof Promise) noteConverting(event, key, frame);
  return frame;
}

function noteConverting(event: StoreEvent, key: string, frame: Promise<Uint8Array>): void {
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

/** Stored bytes end in a newline, which has no place inside a frame. */
function framed(type: EventType, bytes: Uint8Array): Uint8Array {
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
  return !isLostBySelector(event, type) && isShown(resource, event.entry);
}

/** Who loses an object by its selector sees it as it was, at the revision at which it went. */
function isLostBySelector(event: StoreEvent, type: EventType): boolean {
  return type === 'DELETED' && event.type === 'put' && event.previous !== undefined;
}

function objectFor(resource: Resource, event: StoreEvent, type: EventType): KubeObject | Promise<KubeObject> {
  if (!event.previous || !isLostBySelector(event, type)) return readEntry(resource, event.entry);
  return after(readEntry(resource, event.previous), (object) => {
    object.metadata.resourceVersion = String(event.revision);
    return object;
  });
}

/** Frames that are made for one watch: a table, metadata alone, protobuf. */
function shownFrames(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const show = transformation(call, representation);
  const frame = framer(resource, representation);
  return {
    ofEntry: (entry) => after(readEntry(resource, entry), (object) => frame('ADDED', show(object))),
    ofEvent: (event, type) => after(objectFor(resource, event, type), (object) => frame(type, show(object))),
    bookmark: (revision, endsState) => frame('BOOKMARK', show(bookmarkObject(resource, revision, endsState), true)),
    error: (status) => frame('ERROR', status),
  };
}

type Show = (object: KubeObject, isBookmark?: boolean) => JsonObject;

function framer(
  resource: Resource,
  { encoding, as }: Representation,
): (type: string, object: JsonObject) => Uint8Array {
  const encode = encoding === 'protobuf' && as !== 'Table' ? resource.codec.encodeProtobufEvent : undefined;
  return encode ?? jsonFrame;
}

function transformation(call: Call, { as, metaVersion }: Representation): Show {
  if (as === 'PartialObjectMetadata') return (object) => partialMetadata(object, metaVersion, call.resource.codec);
  return as === 'Table' ? tableFrames(call, metaVersion) : (object) => object;
}

/** Each event is a table of one row; only the first names the columns. */
function tableFrames(call: Call, metaVersion: string): Show {
  const columns = columnsOf(call);
  const emptyColumns = withEmptyCells(columns);
  const { codec } = call.resource;
  const include = includeObject(call.info.query);
  let isFirst = true;
  return (object, isBookmark = false) => {
    // The end of the state would otherwise not be told at all.
    const endsState = object.metadata.annotations === initialEventsEnd;
    const shownPart = endsState && include === 'None' ? 'Metadata' : include;
    const definitions = isFirst ? columnDefinitions(columns) : null;
    isFirst = false;
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
