import { apiVersionOf, stringifyJson, type ApiStatus, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Representation } from '../http/negotiate.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Resource } from '../resources/resource.ts';
import type { Entry, StoreEvent } from '../store/store.ts';
import { partialMetadata } from '../tables/partial-metadata.ts';
import { columnDefinitions, columnsOf, includeObject, tableRow } from '../tables/table.ts';
import type { Call } from './context.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** Turns events into what goes over the wire. Frames of the stored form are made once and shared by all watches. */
export interface FrameEncoder {
  readonly ofEntry: (entry: Entry) => Uint8Array;
  readonly ofEvent: (event: StoreEvent, type: EventType) => Uint8Array;
  /** How far this watch has come; `endsState`: all of the state it began with has been sent. */
  readonly bookmark: (revision: number, endsState: boolean) => Uint8Array;
  readonly error: (status: ApiStatus) => Uint8Array;
}

export function frameEncoder(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const { encoding, as } = representation;
  const isStoredForm = as === 'object' && encoding !== 'protobuf' && !resource.conversion;
  return isStoredForm ? storedFrames(resource) : shownFrames(call, representation);
}

const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

function bookmarkObject(resource: Resource, revision: number, endsState: boolean): KubeObject {
  const metadata = { resourceVersion: String(revision), ...(endsState && { annotations: initialEventsEnd }) };
  return { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata };
}

function jsonFrame(type: string, object: JsonObject): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object)}}\n`);
}

function storedFrames(resource: Resource): FrameEncoder {
  return {
    ofEntry: ({ bytes }) => framed('ADDED', bytes),
    ofEvent: (event, type) => sharedFrame(event, `json:${type}`, () => framed(type, bytesFor(event, type))),
    bookmark: (revision, endsState) => jsonFrame('BOOKMARK', bookmarkObject(resource, revision, endsState)),
    error: (status) => jsonFrame('ERROR', status),
  };
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

/** Who loses an object by its selector sees it as it was, at the revision at which it went. */
function bytesFor(event: StoreEvent, type: EventType): Uint8Array {
  if (type !== 'DELETED' || event.type === 'delete' || !event.previous) return event.entry.bytes;
  return Buffer.from(`${stringifyJson(objectFor(event, type))}\n`);
}

function objectFor(event: StoreEvent, type: EventType): KubeObject {
  if (type !== 'DELETED' || event.type === 'delete' || !event.previous) return decodeStored(event.entry.bytes);
  const object = decodeStored(event.previous.bytes);
  object.metadata.resourceVersion = String(event.revision);
  return object;
}

/** Frames that are made for one watch: another version, a table, metadata alone, protobuf. */
function shownFrames(call: Call, representation: Representation): FrameEncoder {
  const { resource } = call;
  const show = transformation(call, representation);
  const frame = framer(resource, representation);
  const convert = (object: KubeObject): KubeObject => resource.conversion?.fromStorage(object) ?? object;
  return {
    ofEntry: ({ bytes }) => frame('ADDED', show(convert(decodeStored(bytes)))),
    ofEvent: (event, type) => frame(type, show(convert(objectFor(event, type)))),
    bookmark: (revision, endsState) => frame('BOOKMARK', show(bookmarkObject(resource, revision, endsState))),
    error: (status) => frame('ERROR', status),
  };
}

function framer(
  resource: Resource,
  { encoding, as }: Representation,
): (type: string, object: JsonObject) => Uint8Array {
  const encode = encoding === 'protobuf' && as !== 'Table' ? resource.codec.encodeProtobufEvent : undefined;
  return encode ?? jsonFrame;
}

function transformation(call: Call, { as, metaVersion }: Representation): (object: KubeObject) => JsonObject {
  if (as === 'PartialObjectMetadata') return (object) => partialMetadata(object, metaVersion);
  return as === 'Table' ? tableFrames(call, metaVersion) : (object) => object;
}

/** Each event is a table of one row; only the first names the columns. */
function tableFrames(call: Call, metaVersion: string): (object: KubeObject) => JsonObject {
  const columns = columnsOf(call);
  const include = includeObject(call.info.query);
  let isFirst = true;
  return (object) => {
    // The end of the state would otherwise not be told at all.
    const endsState = object.metadata.annotations === initialEventsEnd;
    const shownPart = endsState && include === 'None' ? 'Metadata' : include;
    const definitions = isFirst ? columnDefinitions(columns) : null;
    isFirst = false;
    return {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${metaVersion}`,
      metadata: { resourceVersion: object.metadata.resourceVersion ?? '' },
      columnDefinitions: definitions,
      rows: [tableRow(columns, object, shownPart, metaVersion, call.server.now())],
    };
  };
}
