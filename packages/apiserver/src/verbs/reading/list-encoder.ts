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
import { isServedAsStored, readEntryNow } from '../../representation/represent.ts';

/**
 * A list in one representation, in parts. The head, all items, `first` before the first of them and `between` before all others,
 * and the tail, joined, are the list. So it can be made as it is read.
 */
export interface ListForm {
  readonly contentType: string;
  /** Of a list without items. */
  readonly empty: () => Uint8Array;
  readonly head: (itemBytes: number) => Uint8Array;
  /** The head must know how many bytes the items take: protobuf puts lengths first. */
  readonly needsLength: boolean;
  readonly first: Uint8Array;
  readonly between: Uint8Array;
  readonly tail: Uint8Array;
  readonly item: (object: KubeObject) => Uint8Array;
  /** The same for kinds that no webhook converts. Promised where the thread for heavy requests makes it. */
  readonly itemOfEntry: (entry: Entry) => Uint8Array | Promise<Uint8Array>;
}

export function listForm(call: Call, metadata: TableMeta, representation: Representation): ListForm {
  const { encoding, as } = representation;
  if (as === 'PartialObjectMetadata') throw notOneObject(call, as);
  if (encoding === 'protobuf') return protobufForm(call, metadata, representation);
  if (isStoredForm(call, representation)) return storedForm(call, metadata, representation);
  const frame = frameOf(call, metadata, representation);
  const show = showing(call, representation);
  const isForPeople = isPretty(representation, call.request, call.info.query);
  const parts = encoding === 'yaml' ? yamlParts(frame) : isForPeople ? prettyParts(frame) : compactParts(frame);
  const item = (object: KubeObject): Uint8Array => Buffer.from(parts.item(show(object)));
  return {
    contentType: mediaTypes[encoding],
    empty: () => textBytes(encoding, emptyList(call, metadata, representation), isForPeople),
    ...constant(parts),
    item,
    itemOfEntry: itemMaker(call, representation, item),
  };
}

function notOneObject({ resource }: Call, as: string): Error {
  const type = resource.isUnstructured
    ? 'unstructured.UnstructuredList'
    : internalType(resource.group, resource.listKind);
  return apiErrors.wrongTransformation(`you requested ${as}, but the requested object is a list (*${type})`);
}

function isStoredForm({ request, info }: Call, representation: Representation): boolean {
  const { encoding, as } = representation;
  return encoding === 'json' && as === 'object' && !isPretty(representation, request, info.query);
}

/** The texts of a form in which heads know no lengths. */
interface Texts {
  readonly head: string;
  readonly first: string;
  readonly between: string;
  readonly tail: string;
}

interface TextParts extends Texts {
  readonly item: (value: JsonValue) => string;
}

function constant(texts: Texts): Pick<ListForm, 'head' | 'needsLength' | 'first' | 'between' | 'tail'> {
  const head = Buffer.from(texts.head);
  return {
    head: () => head,
    needsLength: false,
    first: Buffer.from(texts.first),
    between: Buffer.from(texts.between),
    tail: Buffer.from(texts.tail),
  };
}

/** The stored bytes, one after another. */
function storedForm(call: Call, metadata: TableMeta, representation: Representation): ListForm {
  const { resource } = call;
  const frame = compactParts(frameOf(call, metadata, { as: 'object', metaVersion: 'v1' }));
  // Items of built-in kinds lack their kind, which all stored objects begin with, and with it the opening brace.
  const [skipped, brace] = resource.isUnstructured ? [0, ''] : [kindPrefixLength(call), '{'];
  const itemOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(skipped, bytes.length - 1);
  const item = (object: KubeObject): Uint8Array => itemOf(Buffer.from(`${stringifyJson(object)}\n`));
  const made = itemMaker(call, representation, item);
  return {
    contentType: mediaTypes.json,
    ...constant({ ...frame, first: brace, between: `,${brace}` }),
    empty: () => Buffer.from(frame.head + frame.tail),
    item,
    itemOfEntry: (entry) => (isServedAsStored(resource, entry) ? itemOf(entry.bytes) : made(entry)),
  };
}

/** Makes items of parsed objects, large ones in the thread for heavy requests. */
function itemMaker(
  call: Call,
  representation: Representation,
  item: (object: KubeObject) => Uint8Array,
): ListForm['itemOfEntry'] {
  const { resource, server } = call;
  return (entry) =>
    server.heavy?.isHeavy(entry.bytes.length)
      ? server.heavy.item(call, representation, entry)
      : item(readEntryNow(resource, entry));
}

function kindPrefixLength({ resource }: Call): number {
  return Buffer.byteLength(`{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`);
}

function protobufForm(call: Call, metadata: TableMeta, representation: Representation): ListForm {
  const { resource } = call;
  const parts = resource.codec.protobufListParts?.(metadata, representation.as);
  if (!parts) throw new Error(`${resource.plural} have no protobuf form`);
  const show = representation.as === 'object' ? (object: KubeObject) => object : showing(call, representation);
  const item = (object: KubeObject): Uint8Array => parts.item(show(object));
  return {
    contentType: mediaTypes.protobuf,
    empty: () => Buffer.concat([parts.head(0), parts.tail]),
    head: parts.head,
    needsLength: true,
    first: nothing,
    between: nothing,
    tail: parts.tail,
    item,
    itemOfEntry: itemMaker(call, representation, item),
  };
}

const nothing = new Uint8Array();

type Shown = Pick<Representation, 'as' | 'metaVersion'>;

/** How one object looks among the items. */
function showing(call: Call, { as, metaVersion }: Shown): (object: KubeObject) => JsonObject {
  const { resource } = call;
  if (as === 'Table') return rowMaker(call, metaVersion);
  if (as !== 'object') return (object) => partialMetadata(object, metaVersion, resource.codec);
  return resource.isUnstructured ? (object) => object : withoutKind;
}

function withoutKind({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): JsonObject {
  return rest;
}

/** A list without items, and what they are called. */
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

/** Go's list of maps always names where it goes on. */
function unstructuredMeta({ continue: next = '', remainingItemCount, resourceVersion }: TableMeta): JsonObject {
  return {
    continue: next,
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** Quotes inside of texts are escaped, so the empty list is found where it is a field's value. */
function compactParts({ list, field }: Frame): TextParts {
  const [head, tail] = around(`${stringifyJson(list)}\n`, `"${field}":[]`);
  return { head: `${head}"${field}":[`, first: '', between: ',', tail: `]${tail}`, item: stringifyJson };
}

function prettyParts({ list, field }: Frame): TextParts {
  const [head, tail] = around(indentJson(stringifyJson(list)), `"${field}": []`);
  const line = '\n    ';
  return {
    head: `${head}"${field}": [`,
    first: line,
    between: `,${line}`,
    tail: `\n  ]${tail}`,
    item: (value) => indentJson(stringifyJson(value), 2),
  };
}

/** A sequence stands at the column of its key, so items are printed as a sequence of their own; no text goes on at column 0. */
function yamlParts({ list, field }: Frame): TextParts {
  const [head, tail] = around(`\n${printYaml(list)}`, `\n${field}: []\n`);
  const lines = { head: `${head}\n${field}:\n`.slice(1), first: '', between: '', tail };
  return { ...lines, item: (value) => printYaml([value], 1) };
}

function around(text: string, part: string): [string, string] {
  const at = text.indexOf(part);
  return [text.slice(0, at), text.slice(at + part.length)];
}
