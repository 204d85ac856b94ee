import { apiErrors, type ApiResponse, type KubeObject } from '@flotilla/kube';
import type { Representation } from '../../request/negotiate.ts';
import { decodeStored, encodeAt, encodeObject, encoderOf, headerOf } from '../../resources/object-bytes.ts';
import type { Resource } from '../../resources/resource.ts';
import { storedSizeRefusal, alwaysStoredBytes } from '../../resources/stored-size.ts';
import {
  StoreConflict,
  StoreUnavailable,
  type Accepted,
  type Committed,
  type Entry,
  type Key,
  type Write,
} from '../../store/store.ts';
import { chargesOf, type Attributes } from '../../admission/admission.ts';
import type { Call } from '../../call/call.ts';
import type { Server } from '../../call/server.ts';
import { entryResponse, objectResponse } from '../../representation/represent.ts';
import { shareWritten } from '../../representation/shared-objects.ts';

/** The outcome of a write: the stored entry, or the object that a dry run would have stored. */
export interface Written {
  readonly entry?: Entry;
  /** Set if there is no entry, as after a dry run. In the request's version. */
  readonly object?: KubeObject;
  readonly created: boolean;
}

/**
 * What to do with an object that is too large for etcd. kube-apiserver retries without managedFields, which can be most of the
 * object, except for an apply. Marking for deletion may exceed the limit.
 */
export type Oversize = 'refuse' | 'drop-managers' | 'store';

/** A write that the store accepted. Only a failing disk can still undo it. */
export interface AcceptedWrite {
  readonly written: Written | Promise<Written>;
}

/** An object to store, in the request's version. */
export interface ObjectPut {
  readonly key: Key;
  /** As in `Put`. */
  readonly expected: number;
  readonly object: KubeObject;
  /** The object before the write, if there was one. */
  readonly old?: KubeObject;
  readonly dryRun: boolean;
  /** 'refuse' if absent. */
  readonly oversize?: Oversize | undefined;
  /** Set if admission has yet to charge the write, in the commit that stores it. */
  readonly uncharged?: Attributes | undefined;
}

/** Stores an object. A dry run returns it without storing. */
export function storePut(call: Call, put: ObjectPut): Written | Promise<Written> {
  const accepting = acceptPut(call, put);
  return accepting instanceof Promise ? accepting.then(({ written }) => written) : accepting.written;
}

/**
 * Stores an object in two steps; only the first needs the object.
 *
 * An async function that waits keeps its variables alive. Dozens of writers wait for the disk at once, and the garbage collector
 * would move their objects to the old generation. So only functions that never saw the object wait for the disk.
 */
export function acceptPut(call: Call, put: ObjectPut): AcceptedWrite | Promise<AcceptedWrite> {
  const { resource } = call;
  const { expected, object, old, dryRun, uncharged } = put;
  if (dryRun) {
    if (uncharged) chargesOf(uncharged);
    return asIfStored(resource, object).then((shown) => ({ written: { object: shown, created: expected === 0 } }));
  }
  const inStorage = inStorageVersion(resource, object, old);
  if (inStorage instanceof Promise) return inStorage.then((converted) => acceptStored(call, put, converted));
  return acceptStored(call, put, inStorage);
}

function acceptStored(
  call: Call,
  { key, expected, oversize = 'refuse', uncharged }: ObjectPut,
  inStorage: KubeObject,
): AcceptedWrite {
  const { resource, server, request, info } = call;
  const stored = resource.codec.withRevisionSlot(inStorage);
  // The result of a patch has strings of the old object, which the parser that slices may have read.
  const hasOwnStrings = request.receivedBody?.isPrinted === true && info.verb !== 'patch';
  const header = headerOf(resource, stored, hasOwnStrings);
  const companions = resource.companions?.(server, stored, storedObject(server, key)) ?? [];
  const encode = (revision: number): Uint8Array => {
    const bytes = encodeAt(stored, revision);
    if (bytes.length <= alwaysStoredBytes || oversize === 'store') return bytes;
    return bytesWithinLimit(call, { key, expected, object: stored, oversize }, bytes);
  };
  const put: Write = { verb: 'put', key, expected, header, encode };
  const { committed, entries } = acceptCharged(server, uncharged, [...companions, put]);
  const entry = entries?.at(-1);
  if (entry) shareWritten(resource, entry, stored);
  return { written: writtenOf(committed, expected === 0) };
}

/** Stores the writes together with what admission charges for them. */
function acceptCharged({ store }: Server, uncharged: Attributes | undefined, writes: readonly Write[]): Accepted {
  if (!uncharged) return store.accept(writes);
  for (let attempt = 1; ; attempt++) {
    const charges = chargesOf(uncharged);
    try {
      return store.accept(charges.length === 0 ? writes : [...charges, ...writes]);
    } catch (error) {
      // In a worker another write may be charged between the two calls.
      const isOutdated = error instanceof StoreConflict && charges.some(({ key }) => isSameKey(key, error.key));
      if (!isOutdated || attempt === maxChargeAttempts) throw error;
    }
  }
}

const maxChargeAttempts = 100;

function isSameKey(a: Key, b: Key): boolean {
  return a.collection === b.collection && a.name === b.name;
}

/** Returns the bytes, without managedFields if necessary. An object over the limit may still be updated to a smaller one. */
function bytesWithinLimit(call: Call, put: Omit<ObjectPut, 'dryRun'>, bytes: Uint8Array): Uint8Array {
  const { key, expected, object, oversize } = put;
  const { resource, server, info } = call;
  const isCreate = info.verb === 'create';
  const refusal = storedSizeRefusal({ resource, name: key.name, expected, isCreate, object, jsonBytes: bytes.length });
  if (refusal === undefined) return bytes;
  if (expected !== 0 && bytes.length < (server.store.newest(key)?.bytes.length ?? 0)) return bytes;
  if (oversize !== 'drop-managers' || !object.metadata.managedFields) throw refusal;
  delete object.metadata.managedFields;
  return bytesWithinLimit(call, { key, expected, object }, encodeObject(object));
}

function writtenOf(committed: Accepted['committed'], created: boolean): Written | Promise<Written> {
  return committed instanceof Promise ? writtenWhenDurable(committed, created) : lastOf(committed, created);
}

async function writtenWhenDurable(committed: Promise<readonly Committed[]>, created: boolean): Promise<Written> {
  try {
    return lastOf(await committed, created);
  } catch (error) {
    throw asApiError(error);
  }
}

function lastOf(committed: readonly Committed[], created: boolean): Written {
  const last = committed.at(-1);
  if (!last) throw new Error('the store committed nothing');
  return { entry: last.entry, created };
}

/** The object in its storage version, without the placeholder for its revision. */
export function inStorageVersion(
  { storedForm, codec }: Resource,
  object: KubeObject,
  old?: KubeObject,
): KubeObject | Promise<KubeObject> {
  return storedForm ? storedForm.write(object, old) : codec.inWireOrder(object);
}

/** Removes an object. Watches get `object` as its last state. */
export async function storeDelete(call: Call, key: Key, expected: number, object: KubeObject): Promise<Entry> {
  const { resource, server } = call;
  const stored = resource.codec.withRevisionSlot(object);
  const companions = resource.companions?.(server, undefined, object) ?? [];
  const [committed] = await withApiErrors(
    server.store.write([{ verb: 'delete', key, expected, encode: encoderOf(stored) }, ...companions]),
  );
  if (!committed) throw new Error('the store committed nothing');
  return committed.entry;
}

function storedObject({ store }: Pick<Server, 'store'>, key: Key): KubeObject | undefined {
  const entry = store.newest(key);
  return entry && decodeStored(entry.bytes);
}

/** Waits until the newest state of a key is durable. Callers must wait before they answer from it. */
export async function waitUntilDurable({ server }: Call, key: Key): Promise<void> {
  await withApiErrors(server.store.settled(key));
}

async function withApiErrors<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw asApiError(error);
  }
}

function asApiError(error: unknown): unknown {
  return error instanceof StoreUnavailable ? apiErrors.internalError(error.message, { cause: error }) : error;
}

/** The response of a dry run: the object as it would be read from the store. */
async function asIfStored(resource: Resource, object: KubeObject): Promise<KubeObject> {
  const { storedForm } = resource;
  if (!storedForm) return inShownOrder(resource, object);
  const [read] = await storedForm.read([{ bytes: encodeObject(await storedForm.write(object)) }]);
  if (!read) throw new Error('an object could not be read as it would be stored');
  return read;
}

/** The object in wire order. A dry run of a create has no resourceVersion. */
export function inShownOrder({ codec }: Resource, object: KubeObject): KubeObject {
  const ordered = codec.withRevisionSlot(codec.inWireOrder(object));
  if (ordered.metadata.resourceVersion === '') delete ordered.metadata.resourceVersion;
  return ordered;
}

/** Answers when a write is durable. Must be the caller's last statement, so that no object stays alive: see `acceptPut`. */
export function responseWhenWritten(
  call: Call,
  writing: Written | Promise<Written>,
  representation: Representation,
): ApiResponse | Promise<ApiResponse> {
  if (writing instanceof Promise) return writing.then((written) => writtenResponse(call, written, representation));
  return writtenResponse(call, writing, representation);
}

function writtenResponse(
  call: Call,
  written: Written,
  representation: Representation,
): ApiResponse | Promise<ApiResponse> {
  const status = written.created ? 201 : 200;
  if (written.entry) return entryResponse(call, status, written.entry, representation);
  if (written.object) return objectResponse(call, status, written.object, representation);
  throw new Error('a write returned neither an entry nor an object');
}
