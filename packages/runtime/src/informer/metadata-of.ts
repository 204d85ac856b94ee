import type { ReadonlyObject } from './object-source.ts';

/** Kind, apiVersion and metadata, without managedFields. */
export function metadataOf({ kind, apiVersion, metadata }: ReadonlyObject): ReadonlyObject {
  const { managedFields: _managedFields, ...rest } = metadata;
  return { kind, apiVersion, metadata: rest };
}
