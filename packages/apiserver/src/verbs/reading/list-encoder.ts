import {
  apiErrors,
  apiVersionOf,
  indentJson,
  printYaml,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { mediaTypes, type Representation } from '../../request/negotiate.ts';
import { isPretty, textBytes } from '../../response/respond.ts';
import { internalType } from '../../resources/internal-type.ts';
import type { Entry } from '../../store/store.ts';
import { partialMetadata } from '../../representation/partial-metadata.ts';
import { rowMaker, tableOf, type TableMeta } from '../../representation/table.ts';
import type { Call } from '../../call/call.ts';
import type { HeavyWork } from '../../call/heavy-work.ts';
import { isServedAsStored, readEntryNow } from '../../representation/read-entry.ts';

/**
 * Encodes a list in parts, so that it can be streamed. The list is the concatenation of the head, the items, with `first` before
 * the first one and `between` before the others, and the tail.
 */
export interface ListEncoder {
  readonly contentType: string;
  /** The bytes of a list without items. */
  readonly empty: () => Uint8Array;
  readonly head: (itemBytes: number) => Uint8Array;
  /** Whether the head contains the length of the items, as in protobuf. */
  readonly needsLength: boolean;
  readonly first: Uint8Array;
  readonly between: Uint8Array;
  readonly tail: Uint8Array;
  readonly item: (object: KubeObject) => Uint8Array;
  /** For kinds that no webhook converts. Returns a promise if the thread for heavy requests encodes the item. */
  readonly itemOfEntry: (entry: Entry) => Uint8Array | Promise<Uint8Array>;
  /** The item, encoded in the worker. */
  readonly itemInWorker: (heavy: HeavyWork, entry: Entry) => Promise<Uint8Array>;
}

export function listEncoder(call: Call, metadata: TableMeta, representation: Representation): ListEncoder {
  const { encoding, as } = representation;
  if (as === 'PartialObjectMetadata') throw notOneObject(call, as);
  if (encoding === 'protobuf') return protobufEncoder(call, metadata, representation);
  if (isStoredRepresentation(call, representation)) return storedEncoder(call, metadata, representation);
  const frame = frameOf(call, metadata, representation);
  const show = itemTransform(call, representation);
  const isIndented = isPretty(representation, call.request, call.info.query);
  const parts = encoding === 'yaml' ? yamlParts(frame) : isIndented ? prettyParts(frame) : compactParts(frame);
  const item = (object: KubeObject): Uint8Array => Buffer.from(parts.item(show(object)));
  return {
    contentType: mediaTypes[encoding],
    empty: () => textBytes(encoding, emptyList(call, metadata, representation), isIndented),
    ...constantParts(parts),
    item,
    itemInWorker: (heavy, entry) => heavy.item(call, representation, entry),
    itemOfEntry: itemMaker(call, representation, item),
  };
}

function notOneObject({ resource }: Call, as: string): Error {
  const type = resource.isUnstructured
    ? 'unstructured.UnstructuredList'
    : internalType(resource.group, resource.listKind);
  return apiErrors.wrongTransformation(`you requested ${as}, but the requested object is a list (*${type})`);
}

function isStoredRepresentation({ request, info }: Call, representation: Representation): boolean {
  const { encoding, as } = representation;
  return encoding === 'json' && as === 'object' && !isPretty(representation, request, info.query);
}

/** The parts of an encoding without lengths. */
interface Texts {
  readonly head: string;
  readonly first: string;
  readonly between: string;
  readonly tail: string;
}

interface TextParts extends Texts {
  readonly item: (value: JsonValue) => string;
}

function constantParts(texts: Texts): Pick<ListEncoder, 'head' | 'needsLength' | 'first' | 'between' | 'tail'> {
  const head = Buffer.from(texts.head);
  return {
    head: () => head,
    needsLength: false,
    first: Buffer.from(texts.first),
    between: Buffer.from(texts.between),
    tail: Buffer.from(texts.tail),
  };
}

/** Concatenates the stored bytes. */
function storedEncoder(call: Call, metadata: TableMeta, representation: Representation): ListEncoder {
  const { resource } = call;
  const frame = compactParts(frameOf(call, metadata, { as: 'object', metaVersion: 'v1' }));
  // Stored objects begin with the opening brace and their kind. Items of built-in kinds have no kind, so both are cut off.
  const [skipped, brace] = resource.isUnstructured ? [0, ''] : [kindPrefixLength(call), '{'];
  const itemOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(skipped, bytes.length - 1);
  const item = (object: KubeObject): Uint8Array => itemOf(Buffer.from(`${stringifyJson(object)}\n`));
  const encodeItem = itemMaker(call, representation, item);
  return {
    contentType: mediaTypes.json,
    ...constantParts({ ...frame, first: brace, between: `,${brace}` }),
    empty: () => Buffer.from(frame.head + frame.tail),
    item,
    itemInWorker: (heavy, entry) => heavy.item(call, representation, entry),
    itemOfEntry: (entry) => (isServedAsStored(resource, entry) ? itemOf(entry.bytes) : encodeItem(entry)),
  };
}

/** Encodes parsed objects; large ones in the thread for heavy requests. */
function itemMaker(
  call: Call,
  representation: Representation,
  item: (object: KubeObject) => Uint8Array,
): ListEncoder['itemOfEntry'] {
  const { resource, server } = call;
  return (entry) =>
    server.heavy?.isHeavy(entry.bytes.length)
      ? server.heavy.item(call, representation, entry)
      : item(readEntryNow(resource, entry));
}

function kindPrefixLength({ resource }: Call): number {
  return Buffer.byteLength(`{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`);
}

function protobufEncoder(call: Call, metadata: TableMeta, representation: Representation): ListEncoder {
  const { resource } = call;
  const parts = resource.codec.protobufListParts?.(metadata, representation.as);
  if (!parts) throw new Error(`${resource.plural} have no protobuf encoding`);
  const show = representation.as === 'object' ? (object: KubeObject) => object : itemTransform(call, representation);
  const item = (object: KubeObject): Uint8Array => parts.item(show(object));
  return {
    contentType: mediaTypes.protobuf,
    empty: () => Buffer.concat([parts.head(0), parts.tail]),
    head: parts.head,
    needsLength: true,
    first: noBytes,
    between: noBytes,
    tail: parts.tail,
    item,
    itemInWorker: (heavy, entry) => heavy.item(call, representation, entry),
    itemOfEntry: itemMaker(call, representation, item),
  };
}

const noBytes = new Uint8Array();

type Shown = Pick<Representation, 'as' | 'metaVersion'>;

/** Turns an object into an item of the list. */
function itemTransform(call: Call, { as, metaVersion }: Shown): (object: KubeObject) => JsonObject {
  const { resource } = call;
  if (as === 'Table') return rowMaker(call, metaVersion);
  if (as !== 'object') return (object) => partialMetadata(object, metaVersion, resource.codec);
  return resource.isUnstructured ? (object) => object : withoutKind;
}

function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): JsonObject {
  return rest;
}

/** A list without items, and the field for the items. */
interface Frame {
  readonly list: JsonObject;
  readonly field: 'items' | 'rows';
}

function frameOf(call: Call, metadata: TableMeta, shown: Shown): Frame {
  const field = shown.as === 'Table' ? 'rows' : 'items';
  return { list: { ...emptyList(call, metadata, shown), [field]: [] }, field };
}

function emptyList(call: Call, metadata: TableMeta, { as, metaVersion }: Shown): JsonObject {
  const { resource } = call;
  if (as === 'Table') return tableOf(call, [], metadata, metaVersion);
  if (as !== 'object') {
    return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metaVersion}`, metadata, items: [] };
  }
  const { listKind: kind } = resource;
  const apiVersion = apiVersionOf(resource);
  if (resource.isUnstructured) return { apiVersion, items: [], kind, metadata: unstructuredMeta(metadata) };
  return { kind, apiVersion, metadata, items: [] };
}

/** Go's UnstructuredList always has `continue`, even if it is empty. */
function unstructuredMeta({ continue: next = '', remainingItemCount, resourceVersion }: TableMeta): JsonObject {
  return {
    continue: next,
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** Quotes inside of strings are escaped, so the text of the empty field is found only where it is a field. */
function compactParts({ list, field }: Frame): TextParts {
  const [head, tail] = splitAround(`${stringifyJson(list)}\n`, `"${field}":[]`);
  return { head: `${head}"${field}":[`, first: '', between: ',', tail: `]${tail}`, item: stringifyJson };
}

function prettyParts({ list, field }: Frame): TextParts {
  const [head, tail] = splitAround(indentJson(stringifyJson(list)), `"${field}": []`);
  const line = '\n    ';
  return {
    head: `${head}"${field}": [`,
    first: line,
    between: `,${line}`,
    tail: `\n  ]${tail}`,
    item: (value) => indentJson(stringifyJson(value), 2),
  };
}

/** YAML sequences have the indentation of their key, so each item is printed as a sequence. No string continues at column 0. */
function yamlParts({ list, field }: Frame): TextParts {
  const [head, tail] = splitAround(`\n${printYaml(list)}`, `\n${field}: []\n`);
  const lines = { head: `${head}\n${field}:\n`.slice(1), first: '', between: '', tail };
  return { ...lines, item: (value) => printYaml([value], 1) };
}

function splitAround(text: string, part: string): [string, string] {
  const at = text.indexOf(part);
  return [text.slice(0, at), text.slice(at + part.length)];
}
