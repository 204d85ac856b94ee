import type { JsonObject, JsonValue } from '@flotilla/kube';

/** Reads metadata as Go reads JSON into ObjectMeta. The server's table of types does it, which this package does not know. */
export type ReadMetadata = (metadata: JsonValue) => ReadMetadataResult;

export interface ReadMetadataResult {
  /** As Go writes it again: known fields only. */
  readonly metadata: JsonObject;
  /** Go's sentence when a field has a wrong type. */
  readonly error?: string;
  /** Below the metadata: `labls`, `ownerReferences[0].nme`. */
  readonly unknownFields: readonly string[];
}

/** Leaves out the fields that cannot be read. */
export function readWithoutMalformed(metadata: JsonObject, read: ReadMetadata): ReadMetadataResult {
  const whole = read(metadata);
  if (whole.error === undefined) return whole;
  const fields = Object.entries(metadata).filter(
    ([key, value]) => read(Object.fromEntries([[key, value]])).error === undefined,
  );
  return read(Object.fromEntries(fields));
}
