import { apiErrors, type KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { StoredBytes, StoredForm } from '../../resources/resource.ts';
import type { Convert } from '../conversion/convert.ts';
import { inWireOrder, type SchemaOf } from './custom-codec.ts';
import { readableMetadata } from '../../resources/object-meta.ts';

interface StoredFormOptions {
  readonly key: string;
  readonly apiVersion: string;
  readonly storageApiVersion: string;
  /** Identifies the storage version and its schema. */
  readonly storageMark: string;
  readonly schemaOf: SchemaOf;
  readonly convert: Convert;
}

/**
 * Objects are stored in one version and served in all. An object stored in the requested version with the current schema is
 * sent as it is. Any other is decoded again with the current schemas.
 */
export function customStoredForm(options: StoredFormOptions): StoredForm {
  const { key, apiVersion, storageApiVersion, storageMark, schemaOf } = options;
  const isStorage = apiVersion === storageApiVersion;
  return {
    key,
    ...(isStorage && { markOf: (object) => (lacksStatus(object, schemaOf) ? undefined : storageMark) }),
    isServedAsStored: ({ header }) => isStorage && header.mark === storageMark,
    read: (entries) => read(options, entries),
    prune: (object) => schemaOf(object)?.prune(object),
    write: (object, old) =>
      isStorage ? inWireOrder(object, old) : converted(options, [object], storageApiVersion, single),
  };
}

/** A create drops the status after defaulting; reads of the object set the default again. */
function lacksStatus(object: KubeObject, schemaOf: SchemaOf): boolean {
  return object['status'] === undefined && schemaOf(object)?.hasDefault('status') === true;
}

function read(
  options: StoredFormOptions,
  entries: readonly StoredBytes[],
): readonly KubeObject[] | Promise<readonly KubeObject[]> {
  const { apiVersion, storageMark, schemaOf } = options;
  const objects = entries.map(({ bytes, header }) => {
    const stored = decodeStored(bytes);
    // The current schema would change nothing in an object that was stored with it.
    return header?.mark === storageMark ? stored : decodedAgain(stored, schemaOf);
  });
  return converted(options, objects, apiVersion, (all) => all);
}

/** A stored object, decoded with the current schema of its version. */
function decodedAgain(stored: KubeObject, schemaOf: SchemaOf): KubeObject {
  const schema = schemaOf(stored);
  if (!schema) {
    const { apiVersion } = stored;
    throw apiErrors.internalError(`request to convert CR from an invalid group/version: ${apiVersion}`);
  }
  schema.prune(stored);
  schema.coerceEmbedded(stored, true);
  stored.metadata = readableMetadata(stored.metadata);
  stored.metadata.generation ||= 1;
  schema.setDefaults(stored);
  return inWireOrder(stored);
}

function converted<T>(
  { convert, schemaOf }: StoredFormOptions,
  objects: readonly KubeObject[],
  apiVersion: string,
  then: (objects: readonly KubeObject[]) => T,
): T | Promise<T> {
  if (objects.every((object) => object.apiVersion === apiVersion)) return then(objects);
  const pruned = (all: readonly KubeObject[]): T =>
    then(
      all.map((object, index) => {
        if (objects[index]?.apiVersion !== apiVersion) schemaOf(object)?.prune(object);
        return inWireOrder(object);
      }),
    );
  const result = convert(objects, apiVersion);
  return result instanceof Promise ? result.then(pruned) : pruned(result);
}

function single([object]: readonly KubeObject[]): KubeObject {
  if (!object) throw new Error('the conversion returned no object');
  return object;
}
