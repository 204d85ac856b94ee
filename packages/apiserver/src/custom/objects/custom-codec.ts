import {
  inKeyOrder,
  isJsonObject,
  pushAll,
  setOwn,
  sortedCopy,
  sortedKeys,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import type { CompiledSchema } from '@flotilla/schema';
import type { Codec, Decoded } from '../../resources/resource.ts';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import { protobufCodec } from '../../resources/protobuf-codec.ts';
import { readMetadata } from '../../resources/object-meta.ts';

/** Finds the schema for an object; undefined for other kinds and unknown versions. */
export type SchemaOf = (object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}) => CompiledSchema | undefined;

interface CustomCodecOptions {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schemaOf: SchemaOf;
}

export function customCodec({ apiVersion, kind, schemaOf }: CustomCodecOptions): Codec {
  return {
    blank: { apiVersion, kind },
    decode: (value) => decode(sortedCopy(value) as KubeObject, schemaOf),
    decodeOwned: (value) => decode(ownInKeyOrder(value), schemaOf),
    mergeType: (version) => schemaOf({ apiVersion: version, kind })?.mergeType,
    inWireOrder,
    withRevisionSlot,
    ...metadataProtobuf(apiVersion, kind),
    metadataOf: ({ metadata }) => readMetadata(metadata).metadata,
  };
}

/** PartialObjectMetadata is available in protobuf. */
function metadataProtobuf(apiVersion: string, kind: string): Partial<Codec> {
  const { decodeProtobuf: _none, ...encoders } = protobufCodec({ ...splitApiVersion(apiVersion), kind });
  return encoders;
}

/** The caller of `decodeOwned` compares the metadata of value and object. */
function ownInKeyOrder(value: JsonValue): KubeObject {
  const object = inKeyOrder(value);
  return (object === value && isJsonObject(object) ? { ...object } : object) as KubeObject;
}

/** Prunes the request body by the schema of its version, and checks its metadata. Edits the object. */
function decode(object: KubeObject, schemaOf: SchemaOf): Decoded {
  const unknownFields: string[] = [];
  const { metadata, error, unknownFields: unknownMetadata } = readMetadata(object.metadata ?? {});
  if (error !== undefined) return { object, error, unknownFields };
  for (const field of unknownMetadata) unknownFields.push(`metadata.${field}`);
  object.metadata = metadata;
  const schema = schemaOf(object);
  if (!schema) return { object, unknownFields };
  pushAll(unknownFields, schema.prune(object));
  const coerced = schema.coerceEmbedded(object, false);
  if (coerced.error !== undefined) return { object, error: coerced.error, unknownFields };
  pushAll(unknownFields, coerced.unknownFields);
  return { object, unknownFields };
}

/** Copies only what is not in order: after an update, usually the metadata alone. `old` is in order, and so is what it shares. */
export function inWireOrder(object: KubeObject, old?: KubeObject): KubeObject {
  if (old === undefined) return inKeyOrder(object) as KubeObject;
  const ordered: JsonObject = {};
  for (const key of sortedKeys(object)) {
    const child = object[key];
    if (child !== undefined) setOwn(ordered, key, child === old[key] ? child : inKeyOrder(child));
  }
  return ordered as KubeObject;
}

/** Expects an object in wire order, which may lack a resourceVersion. */
function withRevisionSlot(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion !== undefined) return object;
  const metadata = inKeyOrder({ ...object.metadata, resourceVersion: '' }) as ObjectMeta;
  return { ...object, metadata };
}
