/** Metadata is a Go struct even in custom resources: the built-in field table decodes and merges it. */
import { decodeTyped, mergeTypeOf, structType } from '@flotilla/builtins';
import type { JsonObject, JsonValue, ObjectMeta } from '@flotilla/kube';

interface ReadMetadata {
  readonly metadata: JsonObject;
  /** Go's message about a field of a wrong type. */
  readonly error?: string;
  /** Paths relative to the metadata. */
  readonly unknownFields: readonly string[];
}

const type = structType('meta/v1', 'ObjectMeta');

export function readMetadata(value: JsonValue): ReadMetadata {
  const { object, problems } = decodeTyped(type, value);
  return { metadata: object, ...problems };
}

/** Metadata without malformed fields, as Kubernetes reads it where it decodes no struct. */
export function readableMetadata(value: JsonObject): ObjectMeta {
  const whole = readMetadata(value);
  if (whole.error === undefined) return whole.metadata;
  const readable = Object.entries(value).filter(
    ([field, member]) => readMetadata(Object.fromEntries([[field, member]])).error === undefined,
  );
  return readMetadata(Object.fromEntries(readable)).metadata;
}

export const objectMeta = { read: readMetadata, mergeType: mergeTypeOf(type) };
