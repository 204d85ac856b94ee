import type { JsonObject, KubeObject } from '@flotilla/kube';
import type { StructType } from '../table/struct-type.ts';
import { typeOfKind } from '../table/type-table.ts';
import { envelopeParts, readEnvelope, writeEnvelope } from './envelope.ts';
import { decodeMessage } from './message-decoder.ts';
import { encodeMessage, writeStruct } from './message-encoder.ts';
import { lengthDelimitedWire, ProtobufError, ProtobufObjectError, ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';

interface DecodedProtobuf {
  /** Both empty if the client omitted them. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: JsonObject;
}

/**
 * Decodes an object with its envelope. If the envelope names no kind, the bytes are of the expected kind. Throws a
 * `ProtobufError`.
 */
export function decodeProtobuf(bytes: Uint8Array, expected?: StructType): DecodedProtobuf {
  const { apiVersion, kind, raw } = readEnvelope(bytes);
  try {
    const type = kind === '' ? expected : findType(apiVersion, kind);
    if (type === undefined) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
    return { apiVersion, kind, object: withTypeMeta(apiVersion, kind, decodeMessage(type, raw)) };
  } catch (error) {
    throw error instanceof ProtobufError && kind !== '' ? new ProtobufObjectError(apiVersion, kind, error) : error;
  }
}

/** The object must be of a built-in kind. Only discovery documents may have an empty apiVersion. */
export function encodeProtobuf(object: KubeObject): Uint8Array {
  const { apiVersion, kind } = object;
  const type = findType(apiVersion === '' ? 'v1' : apiVersion, kind);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf form`);
  return writeEnvelope({ apiVersion, kind }, (writer) => writeStruct(type, writer, object));
}

/** An event of a protobuf watch. The object includes its envelope. */
interface WatchEventMessage {
  readonly type: string;
  readonly object: Uint8Array;
}

/** The event has no envelope of its own. In a stream, its length precedes it. */
export function encodeWatchEvent({ type, object }: WatchEventMessage): Uint8Array {
  const writer = new ProtoWriter();
  const extension = writer.mark();
  writer.bytes(object);
  writer.tag(1, lengthDelimitedWire);
  writer.endMessage(2, extension);
  writer.text(type);
  writer.tag(1, lengthDelimitedWire);
  return writer.finish();
}

/** Throws a `ProtobufError`. */
export function decodeWatchEvent(bytes: Uint8Array): WatchEventMessage {
  const reader = new ProtoReader(bytes);
  let type = '';
  let object: Uint8Array = new Uint8Array();
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('WatchEvent');
    if (number === 1 && wireType === lengthDelimitedWire) type = reader.text();
    else if (number === 2 && wireType === lengthDelimitedWire) object = rawOf(reader.message());
    else reader.skip(wireType);
  }
  return { type, object };
}

function rawOf(reader: ProtoReader): Uint8Array {
  let raw: Uint8Array = new Uint8Array();
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('RawExtension');
    if (number === 1 && wireType === lengthDelimitedWire) raw = reader.bytes();
    else reader.skip(wireType);
  }
  return raw;
}

function findType(apiVersion: string, kind: string): StructType | undefined {
  const slash = apiVersion.indexOf('/');
  return typeOfKind({ group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind });
}

/** Kind and apiVersion come first on the wire. */
function withTypeMeta(apiVersion: string, kind: string, object: JsonObject): JsonObject {
  return { ...(kind !== '' && { kind }), ...(apiVersion !== '' && { apiVersion }), ...object };
}

/** A list in parts. The head, all items and the tail, concatenated, equal `encodeProtobuf` of the whole list. */
export interface ProtobufListParts {
  /** Lengths come first, so the head depends on the number of bytes of all items. */
  readonly head: (itemBytes: number) => Uint8Array;
  readonly item: (object: JsonObject) => Uint8Array;
  readonly tail: Uint8Array;
}

/** `list` is a list of a built-in kind without its items. */
export function protobufListParts(list: KubeObject): ProtobufListParts {
  const { apiVersion, kind } = list;
  const type = findType(apiVersion, kind);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} has no protobuf form`);
  // Items are the last field of every list.
  const meta = encodeMessage(type, { ...list, items: [] });
  const emptyBytes = encodeMessage(type, { items: [] }).length;
  const { before, after } = envelopeParts({ apiVersion, kind });
  return {
    head: (itemBytes) => Buffer.concat([before(meta.length + itemBytes), meta]),
    item: (object) => encodeMessage(type, { items: [object] }).subarray(emptyBytes),
    tail: after,
  };
}
