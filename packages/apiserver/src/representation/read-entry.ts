import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Resource } from '../resources/resource.ts';
import type { Entry } from '../store/store.ts';

/** The object in the version of the resource. A promise only if a webhook must convert it. */
export function readEntry({ storedForm }: Resource, entry: Entry): KubeObject | Promise<KubeObject> {
  if (!storedForm || storedForm.isServedAsStored(entry)) return decodeStored(entry.bytes);
  const objects = storedForm.read([entry]);
  return objects instanceof Promise ? objects.then(single) : single(objects);
}

function single([object]: readonly KubeObject[]): KubeObject {
  if (!object) throw new Error('a stored object could not be read');
  return object;
}

/** Whether the stored bytes are already in the resource's version. */
export function isServedAsStored({ storedForm }: Resource, entry: Entry): boolean {
  return storedForm === undefined || storedForm.isServedAsStored(entry);
}

/** For kinds without a conversion webhook. */
export function readEntryNow(resource: Resource, entry: Entry): KubeObject {
  const object = readEntry(resource, entry);
  if (object instanceof Promise) throw new Error(`${resource.plural} cannot be read at once`);
  return object;
}
