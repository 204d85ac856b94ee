import { parseStoredJson, stringifyJson, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { Header } from '../store/store.ts';
import type { Resource } from './resource.ts';

/**
 * Encodes objects for the store. The stored bytes are exactly what a GET sends, newline included, so reads need no
 * encoding. Fields have Go's order: kind, apiVersion, metadata in struct order, the rest.
 */
export function encodeObject(object: KubeObject): Uint8Array {
  return encodeText(stringifyJson(object));
}

/** For an object that is JSON already. */
export function encodeText(text: string): Uint8Array {
  const length = Buffer.byteLength(text);
  // Not a slice of Node's pool, of which a long-lived object would keep all the rest in memory.
  const bytes = Buffer.allocUnsafeSlow(length + 1);
  bytes.write(text);
  // Appending it to the text would copy the text.
  bytes[length] = newline;
  return bytes;
}

const newline = 0x0a;

export function decodeStored(bytes: Uint8Array): KubeObject {
  return parseStoredJson(textOf(bytes)) as KubeObject;
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** Returns the encoder of a write, which only has to set the revision. */
export function encoderOf(object: KubeObject): (revision: number) => Uint8Array {
  return (revision) => encodeAt(object, revision);
}

export function encodeAt(object: KubeObject, revision: number): Uint8Array {
  object.metadata.resourceVersion = String(revision);
  return encodeObject(object);
}

/** The object with kind, apiVersion and metadata first, and a slot for the resourceVersion in the metadata. */
export function withRevisionSlot(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion, metadata: metadataInWireOrder(metadata), ...rest };
}

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

function metadataInWireOrder(metadata: ObjectMeta): ObjectMeta {
  const ordered: ObjectMeta = {};
  for (const field of metadataOrder) {
    const value = field === 'resourceVersion' ? (metadata[field] ?? '') : metadata[field];
    if (value !== undefined) (ordered as Record<string, unknown>)[field] = value;
  }
  return ordered;
}

/** All that lists, watches and controllers filter by, so that they need not parse. `hasOwnStrings` if none is a slice of a request. */
export function headerOf(resource: Resource, object: KubeObject, hasOwnStrings = false): Header {
  const { uid = '', labels, ownerReferences, finalizers, deletionTimestamp } = object.metadata;
  const fields = resource.behavior.selectableFields?.(object);
  const mark = resource.storedForm?.markOf?.(object);
  const header: Header = {
    uid,
    ...(labels && { labels }),
    ...(fields && { fields }),
    ...(ownerReferences?.length && { ownerUids: ownerReferences.map((owner) => owner.uid) }),
    ...(finalizers?.length && { finalizers }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(mark !== undefined && { mark }),
  };
  return !hasOwnStrings && hasLongString(header) ? withOwnStrings(header) : header;
}

/** V8 copies shorter substrings. */
const longLength = 13;

function hasLongString({ labels, fields, ownerUids, finalizers }: Header): boolean {
  return ownerUids !== undefined || finalizers !== undefined || hasLongValue(labels) || hasLongValue(fields);
}

function hasLongValue(values: Readonly<Record<string, string>> | undefined): boolean {
  for (const key in values) if ((values[key]?.length ?? 0) >= longLength) return true;
  return false;
}

/** V8 keeps a whole request alive for a substring of it, and headers live as long as their objects. */
function withOwnStrings(header: Header): Header {
  return JSON.parse(JSON.stringify(header)) as Header;
}
