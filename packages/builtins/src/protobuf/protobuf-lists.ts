import type { JsonObject, KubeObject } from '@flotilla/kube';
import { envelopeParts } from './envelope.ts';
import { encodeMessage } from './message-encoder.ts';
import { typeNamed } from './protobuf-objects.ts';

/** A list in parts: the head, every item and the tail, joined, are what `encodeProtobuf` makes of the whole list. */
export interface ProtobufListParts {
  /** Lengths come first, so the head must know how many bytes all items take. */
  readonly head: (itemBytes: number) => Uint8Array;
  readonly item: (object: JsonObject) => Uint8Array;
  readonly tail: Uint8Array;
}

/** `list` is a list of a built-in kind without its items. */
export function protobufListParts(list: KubeObject): ProtobufListParts {
  const { apiVersion, kind } = list;
  const type = typeNamed(apiVersion, kind);
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
