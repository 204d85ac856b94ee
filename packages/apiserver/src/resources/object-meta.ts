/** Metadata is a Go struct even in custom resources: the built-in field table decodes and merges it. */
import { decodeTyped, mergeTypeOf, structType } from '@flotilla/builtins';
import type { JsonObject, JsonValue } from '@flotilla/kube';

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

export const objectMeta = { read: readMetadata, mergeType: mergeTypeOf(type) };
