import { apiErrors, type ApiResponse, type KubeObject } from '@flotilla/kube';
import type { Representation } from '../../request/negotiate.ts';
import { decodeStored, encodeAt, encodeObject, encoderOf, headerOf } from '../../resources/object-bytes.ts';
import type { Resource } from '../../resources/resource.ts';
import { storedSizeRefusal, surelyStoredBytes } from '../../resources/stored-size.ts';
import { StoreUnavailable, type Committed, type Entry, type Key, type Write } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import type { Server } from '../../call/server.ts';
import { entryResponse, objectResponse } from '../../representation/represent.ts';

/** The outcome of a write: what is stored now, or what a dry run would have stored. */
export interface Written {
  readonly entry?: Entry;
  /** Set where there is no entry: after a dry run. In the request's version. */
  readonly object?: KubeObject;
  readonly created: boolean;
}

/**
 * What becomes of an object that etcd would not take. kube-apiserver tries once more without the owners of fields, which can
 * be most of it, unless they are what the request is about. What deletes an object may make it larger.
 */
export type Oversize = 'refuse' | 'drop-managers' | 'store';

/** A write that nothing but the disk can undo any more. */
export interface AcceptedWrite {
  readonly written: Promise<Written>;
}

/** An object of the request's version on its way to the store. */
export interface ObjectPut {
  readonly key: Key;
  /** As in `Put`. */
  readonly expected: number;
  readonly object: KubeObject;
  readonly dryRun: boolean;
  /** 'refuse' if absent. */
  readonly oversize?: Oversize | undefined;
}

/** Stores an object of the request's version; a dry run ends here. */
export async function storePut(call: Call, put: ObjectPut): Promise<Written> {
  const { written } = await acceptPut(call, put);
  return written;
}

/**
 * The same in two steps, of which only the first needs the object.
 *
 * A function that waits keeps all that it knows, and what dozens of writers keep while the disk syncs is what the garbage
 * collector takes for long-lived. So the object is let go once it is bytes: on the ways of creates and updates, whoever waits
 * for the disk is a function that never saw it, and the others have returned.
 */
export async function acceptPut(
  call: Call,
  { key, expected, object, dryRun, oversize = 'refuse' }: ObjectPut,
): Promise<AcceptedWrite> {
  const { resource, server } = call;
  const created = expected === 0;
  if (dryRun) return { written: Promise.resolve({ object: await asIfStored(resource, object), created }) };
  // Awaiting lets others in, so only what must be waited for is.
  const inStorage = inStorageVersion(resource, object);
  const stored = resource.codec.withRevisionPlace(inStorage instanceof Promise ? await inStorage : inStorage);
  const header = headerOf(resource, stored);
  const companions = resource.companions?.(server, stored, storedObject(server, key)) ?? [];
  const encode = (revision: number): Uint8Array => {
    const bytes = encodeAt(stored, revision);
    if (bytes.length <= surelyStoredBytes || oversize === 'store') return bytes;
    return storable(call, { key, expected, object: stored, oversize }, bytes);
  };
  const put: Write = { verb: 'put', key, expected, header, encode };
  const { committed } = server.store.accept([...companions, put]);
  return { written: lastOf(committing(committed), created) };
}

/** The bytes, or those without managers. An object that is too large since before may become smaller, though not yet small. */
function storable(call: Call, put: Omit<ObjectPut, 'dryRun'>, bytes: Uint8Array): Uint8Array {
  const { key, expected, object, oversize } = put;
  const { resource, server, info } = call;
  const isCreate = info.verb === 'create';
  const refusal = storedSizeRefusal({ resource, name: key.name, expected, isCreate, object, jsonBytes: bytes.length });
  if (refusal === undefined) return bytes;
  if (expected !== 0 && bytes.length < (server.store.newest(key)?.bytes.length ?? 0)) return bytes;
  if (oversize !== 'drop-managers' || !object.metadata.managedFields) throw refusal;
  delete object.metadata.managedFields;
  return storable(call, { key, expected, object }, encodeObject(object));
}

async function lastOf(commits: Promise<readonly Committed[]>, created: boolean): Promise<Written> {
  const committed = (await commits).at(-1);
  if (!committed) throw new Error('the store committed nothing');
  return { entry: committed.entry, created };
}

/** The object as it is to be stored, without a place for its revision. */
export function inStorageVersion(
  { storedForm, codec }: Resource,
  object: KubeObject,
): KubeObject | Promise<KubeObject> {
  return storedForm ? storedForm.write(object) : codec.inWireOrder(object);
}

/** Removes an object, whose last state watchers will see. */
export async function storeDelete(call: Call, key: Key, expected: number, object: KubeObject): Promise<Entry> {
  const { resource, server } = call;
  const stored = resource.codec.withRevisionPlace(object);
  const companions = resource.companions?.(server, undefined, object) ?? [];
  const [committed] = await committing(
    server.store.write([{ verb: 'delete', key, expected, encode: encoderOf(stored) }, ...companions]),
  );
  if (!committed) throw new Error('the store committed nothing');
  return committed.entry;
}

function storedObject({ store }: Pick<Server, 'store'>, key: Key): KubeObject | undefined {
  const entry = store.newest(key);
  return entry && decodeStored(entry.bytes);
}

/** Waits until what the newest state tells is durable, before anybody is told. */
export async function settled({ server }: Call, key: Key): Promise<void> {
  await committing(server.store.settled(key));
}

async function committing<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw apiErrors.internalError(error.message, { cause: error });
    throw error;
  }
}

/** What a dry run answers: the object as a store would give it back. */
async function asIfStored(resource: Resource, object: KubeObject): Promise<KubeObject> {
  const { storedForm } = resource;
  if (!storedForm) return inShownOrder(resource, object);
  const [read] = await storedForm.read([{ bytes: encodeObject(await storedForm.write(object)) }]);
  if (!read) throw new Error('an object could not be read as it would be stored');
  return read;
}

/** As stored, but a dry run has no revision to show on a create. */
export function inShownOrder({ codec }: Resource, object: KubeObject): KubeObject {
  const ordered = codec.withRevisionPlace(codec.inWireOrder(object));
  if (ordered.metadata.resourceVersion === '') delete ordered.metadata.resourceVersion;
  return ordered;
}

/** Answers when a write is there. Whoever calls this last holds nothing meanwhile: see `acceptPut`. */
export async function responseWhenWritten(
  call: Call,
  writing: Promise<Written>,
  representation: Representation,
): Promise<ApiResponse> {
  const written = await writing;
  return writtenResponse(call, written.created ? 201 : 200, written, representation);
}

function writtenResponse(
  call: Call,
  status: number,
  written: Written,
  representation: Representation,
): ApiResponse | Promise<ApiResponse> {
  if (written.entry) return entryResponse(call, status, written.entry, representation);
  if (written.object) return objectResponse(call, status, written.object, representation);
  throw new Error('a write gave neither an entry nor an object');
}
