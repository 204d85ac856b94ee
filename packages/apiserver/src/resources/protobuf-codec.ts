import {
  decodeProtobuf,
  encodeProtobuf,
  encodeWatchEvent,
  ProtobufError,
  protobufListParts,
  typeOfKind,
} from '@flotilla/builtins';
import { apiErrors, apiVersionOf, type GroupVersionKind, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Transformation } from '../request/negotiate.ts';
import type { Codec } from './resource.ts';

type ProtobufParts = Pick<Codec, 'decodeProtobuf' | 'encodeProtobuf' | 'encodeProtobufEvent' | 'protobufListParts'>;

/** The protobuf encoding of a built-in kind, which Go clients use by default. */
export function protobufCodec(gvk: GroupVersionKind): ProtobufParts {
  const apiVersion = apiVersionOf(gvk);
  return {
    decodeProtobuf: (bytes) => {
      const decoded = decodeProtobuf(bytes, typeOfKind(gvk));
      return { ...decoded, object: decoded.object as KubeObject };
    },
    encodeProtobuf,
    encodeProtobufEvent,
    protobufListParts: (metadata, as) => protobufListParts(listOf(gvk.kind, apiVersion, metadata, as)),
  };
}

/** Decodes options, which are no resource. Malformed bytes are a bad request. */
export function decodeOptionsMessage(bytes: Uint8Array, expected: GroupVersionKind): ReturnType<typeof decodeProtobuf> {
  try {
    return decodeProtobuf(bytes, typeOfKind(expected));
  } catch (error) {
    if (error instanceof ProtobufError) throw apiErrors.badRequest(error.message);
    throw error;
  }
}

function listOf(kind: string, apiVersion: string, metadata: JsonObject, as: Transformation): KubeObject {
  if (as === 'object') return { kind: `${kind}List`, apiVersion, metadata };
  return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** Frames of a protobuf stream start with their length in four bytes. */
function encodeProtobufEvent(type: string, object: JsonObject): Uint8Array {
  const event = encodeWatchEvent({ type, object: encodeProtobuf(object as KubeObject) });
  const frame = Buffer.allocUnsafe(4 + event.length);
  frame.writeUInt32BE(event.length, 0);
  frame.set(event, 4);
  return frame;
}
