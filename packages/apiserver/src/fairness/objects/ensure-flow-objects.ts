import type { ApiHandler } from '@flotilla/kube';
import { ensureObject, type BootstrapObject } from '../../own-requests/ensure-object.ts';
import { send, serverRequest } from '../../own-requests/server-request.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Store } from '../../store/store.ts';
import { defaultFlowSchemas } from './default-flow-schemas.ts';
import { defaultPriorityLevels } from './default-priority-levels.ts';
import { flowControlProducer } from './flow-control-owner.ts';
import { catchAllName, exemptName, flowSchemasCollection, priorityLevelsCollection } from './flow-objects.ts';
import { isAbandoned, revisedObject } from './revise-object.ts';

const groups: readonly (readonly [collection: string, defaults: readonly BootstrapObject[]])[] = [
  [priorityLevelsCollection, defaultPriorityLevels],
  [flowSchemasCollection, defaultFlowSchemas],
];

/** Creates missing default objects, restores those that the server owns, and removes those of earlier versions. */
export async function ensureFlowObjects(handle: ApiHandler, store: Store, now: Date): Promise<void> {
  for (const [collection, defaults] of groups) {
    await Promise.all(defaults.map((object) => ensure({ handle, store, now }, collection, object)));
    await Promise.all(
      abandonedIn(store, collection, defaults).map((path) => send(handle, serverRequest('DELETE', path))),
    );
  }
}

interface Parts {
  readonly handle: ApiHandler;
  readonly store: Store;
  readonly now: Date;
}

async function ensure({ handle, store, now }: Parts, collection: string, wanted: BootstrapObject): Promise<void> {
  const { path, object } = wanted;
  const { name } = object.metadata;
  const entry = store.get({ collection, name });
  if (!entry) return ensureObject(handle, wanted, now);
  const revised = revisedObject(decodeStored(entry.bytes), object, name === exemptName || name === catchAllName);
  // The resourceVersion is that of the object that was read. After a conflict, the event of the other write leads here again.
  const query = `fieldManager=${flowControlProducer}`;
  if (revised) await send(handle, serverRequest('PUT', `${path}/${name}`, { query, object: revised }));
}

function abandonedIn(store: Store, collection: string, defaults: readonly BootstrapObject[]): string[] {
  const [first] = defaults;
  const names = new Set(defaults.map(({ object }) => object.metadata.name));
  return [...store.snapshot().range(collection, '')]
    .filter(({ key, bytes }) => !names.has(key.name) && isAbandoned(decodeStored(bytes)))
    .map(({ key }) => `${first?.path ?? ''}/${key.name}`);
}

/** Whether a default object has this name. */
export function isDefault(collection: string, name: string): boolean {
  return groups.some(
    ([ofGroup, defaults]) => ofGroup === collection && defaults.some(({ object }) => object.metadata.name === name),
  );
}
