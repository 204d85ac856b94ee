/** Metadata is a struct to Go even in custom resources: the built-in table knows how it is read and merged. */
import { decodeTyped, mergeTypeOf, structType } from '@flotilla/builtins';
import type { JsonObject, JsonValue } from '@flotilla/kube';

interface ReadMetadata {
  readonly metadata: JsonObject;
  /** Go's sentence about a field of a wrong type. */
  readonly error?: string;
  /** Below the metadata. */
  readonly unknownFields: readonly string[];
}

const type = structType('meta/v1', 'ObjectMeta');

export function readMetadata(value: JsonValue): ReadMetadata {
  const { object, problems } = decodeTyped(type, value);
  return { metadata: object, ...problems };
}

export const objectMeta = { read: readMetadata, mergeType: mergeTypeOf(type) };
