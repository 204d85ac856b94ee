import { ProtobufError, ProtobufObjectError } from '@flotilla/builtins';
import {
  apiErrors,
  apiVersionOf,
  isJsonObject,
  pushAll,
  type ApiError,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ManagedFieldsEntry,
  type RequestBody,
} from '@flotilla/kube';
import type { FieldValidation } from '../../request/write-options.ts';
import { encodings, type Encoding } from '../../request/negotiate.ts';
import { internalType, unregisteredKind } from '../../resources/internal-type.ts';
import { textOf } from '../../resources/object-bytes.ts';
import type { Codec, ProtobufBody, Resource } from '../../resources/resource.ts';
import { groupVersionFault, missingKind } from '../../resources/type-meta.ts';
import type { Call } from '../../call/call.ts';
import { strictProblems } from './strict-problems.ts';
import {
  bodyEncoding,
  cannotBeHandled,
  parseBody,
  readBody,
  typeMetaOf,
  unrecognized,
  type JsonBody,
  type TypeMeta,
} from './read-body.ts';

/** The kind of a request's body: usually the resource's, for some subresources another one (Scale, Eviction). */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly codec: Codec;
  /** As in `Resource`. */
  readonly isUnstructured?: boolean;
  /** Whether any kind of that name exists in that version: selects one of two errors. */
  readonly isKnownKind: (apiVersion: string, kind: string) => boolean;
  readonly setDefaults?: (object: KubeObject) => void;
  /** An older apiVersion with the same fields, which is accepted too. */
  readonly olderApiVersion?: string;
  /** The managedFields that views have. If a client in this process sends back the same list, it need not be decoded. */
  readonly knownManagers?: ManagedFieldsEntry[] | undefined;
}

export function expectedKindOf(resource: Resource): ExpectedKind {
  const { group, version, kind, codec, isUnstructured, isKnownKind, behavior } = resource;
  return {
    group,
    version,
    kind,
    codec,
    isUnstructured,
    isKnownKind,
    ...(behavior.setDefaults && { setDefaults: behavior.setDefaults }),
  };
}

const withoutProtobuf: readonly Encoding[] = ['json', 'yaml'];

/** Decodes the request's body as an object of the expected kind, and sets defaults. */
export async function readObject(call: Call, expected: ExpectedKind, validation: FieldValidation): Promise<KubeObject> {
  return (await readAsWritten(call, expected, validation)).object;
}

export interface ReadObject {
  readonly object: KubeObject;
  /** The object with its empty lists, which have a manager though they are not stored. Only for managedFields; mostly `object` itself. */
  readonly asWritten: KubeObject;
}

export async function readAsWritten(
  call: Call,
  expected: ExpectedKind,
  validation: FieldValidation,
): Promise<ReadObject> {
  const encoding = encodingOf(call, expected);
  const reading = readBody(call);
  const body = reading instanceof Promise ? await reading : reading;
  return decodeBody(call, body, encoding, expected, validation);
}

export interface RepeatableRead extends ReadObject {
  /** Decodes the body once more. */
  readonly again: () => ReadObject;
}

/** The same for a write that edits the object, and starts again after a conflict. */
export async function readRepeatably(
  call: Call,
  expected: ExpectedKind,
  validation: FieldValidation,
): Promise<RepeatableRead> {
  const encoding = encodingOf(call, expected);
  const reading = readBody(call);
  const body = reading instanceof Promise ? await reading : reading;
  const read = decodeBody(call, body, encoding, expected, validation);
  // Its problems are known by then.
  return { ...read, again: () => decodeBody(call, body, encoding, expected, 'Ignore') };
}

function encodingOf({ request }: Call, { codec }: ExpectedKind): Encoding {
  const accepted = codec.decodeProtobuf ? encodings : withoutProtobuf;
  return bodyEncoding(request.headers['content-type'], accepted);
}

function decodeBody(
  call: Call,
  received: RequestBody,
  encoding: Encoding,
  expected: ExpectedKind,
  validation: FieldValidation,
): ReadObject {
  const body = parseBody(received, encoding, expected.kind, expected);
  const object =
    body.encoding === 'protobuf' ? fromProtobuf(body.bytes, expected) : fromJson(call, body, expected, validation);
  expected.setDefaults?.(object);
  call.audit?.setRequestObject(object);
  if (body.encoding === 'protobuf' || !received.mayHaveEmptyList) return { object, asWritten: object };
  return { object, asWritten: decodeAsWritten(typeMetaOf(body, expected.kind).object, expected) ?? object };
}

function decodeAsWritten(value: JsonObject, expected: ExpectedKind): KubeObject | undefined {
  const object = expected.codec.decodeAsWritten?.(value);
  if (!object) return undefined;
  keepManagedFieldsReset(value, object);
  expected.setDefaults?.(object);
  return object;
}

function fromProtobuf(bytes: Uint8Array, expected: ExpectedKind): KubeObject {
  const decode = expected.codec.decodeProtobuf;
  if (!decode) throw apiErrors.unsupportedMediaType([]);
  const { apiVersion, kind, object } = decoded(bytes, decode, expected);
  checkKind({ apiVersion, kind }, expected);
  return withExpectedKind(object, expected);
}

function decoded(
  bytes: Uint8Array,
  decode: NonNullable<Codec['decodeProtobuf']>,
  expected: ExpectedKind,
): ProtobufBody {
  const { kind: expectedKind } = expected;
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof ProtobufObjectError) {
      const { apiVersion, kind } = error;
      const why = expected.isKnownKind(apiVersion, kind) ? error.message : kindFault({ apiVersion, kind }, expected);
      throw cannotBeHandled(kind, versionOf(apiVersion), expectedKind, why ?? error.message);
    }
    throw error instanceof ProtobufError ? unrecognized(expectedKind, error.message, bytes) : error;
  }
}

function fromJson(call: Call, body: JsonBody, expected: ExpectedKind, validation: FieldValidation): KubeObject {
  const typeMeta = typeMetaOf(body, expected.kind);
  const malformed = groupVersionFault(typeMeta.apiVersion);
  if (malformed !== undefined) throw unrecognized(expected.kind, malformed, body.bytes);
  if (expected.isUnstructured === true) return unstructuredFrom(call, body, typeMeta, expected, validation);
  checkKind(typeMeta, expected);
  const { kind, version } = expected;
  const object = decodeChecked(call, body, typeMeta.object, { kind, version, expected, validation });
  return withExpectedKind(object, expected);
}

/** Accepts any kind; validation refuses a wrong one. */
function unstructuredFrom(
  call: Call,
  body: JsonBody,
  typeMeta: TypeMeta & { readonly object: JsonObject },
  expected: ExpectedKind,
  validation: FieldValidation,
): KubeObject {
  const { kind, apiVersion } = typeMeta;
  if (kind === '') throw unrecognized(expected.kind, missingKind(textOf(body.bytes)), body.bytes);
  const object = decodeChecked(call, body, typeMeta.object, {
    kind,
    version: versionOf(apiVersion),
    expected,
    validation,
  });
  if (apiVersion !== apiVersionOf(expected)) throw otherVersion(apiVersion, expected);
  return object;
}

interface Decoding {
  /** The kind in the object, for errors. */
  readonly kind: string;
  readonly version: string;
  readonly expected: ExpectedKind;
  readonly validation: FieldValidation;
}

/** Decodes a JSON object. Refuses wrong types, and unknown and repeated fields according to `validation`. */
function decodeChecked(call: Call, body: JsonBody, value: JsonObject, decoding: Decoding): KubeObject {
  const { kind, version, expected, validation } = decoding;
  const { decode, decodeOwned = decode } = expected.codec;
  const managers = expected.knownManagers;
  const isKnown = managers !== undefined && managersIn(value) === managers;
  const sent = isKnown ? withoutManagers(value) : value;
  const decoded = body.isOwned ? decodeOwned(sent) : decode(sent);
  if (isKnown) decoded.object.metadata.managedFields = managers;
  const { object, error } = decoded;
  keepManagedFieldsReset(value, object);
  if (error !== undefined) throw cannotBeHandled(kind, version, expected.kind, error);
  if (validation === 'Ignore') return object;
  if (decoded.unknownFields.length === 0 && body.duplicates.length === 0) return object;
  const problems = strictProblems(value, body, decoded.unknownFields, decoding);
  if (validation === 'Warn') {
    pushAll(call.warnings, problems);
    return object;
  }
  const why = `strict decoding error: ${problems.join(', ')}`;
  throw cannotBeHandled(kind, version, expected.kind, why);
}

function managersIn({ metadata }: JsonObject): JsonValue | undefined {
  return isJsonObject(metadata) ? metadata['managedFields'] : undefined;
}

function withoutManagers(value: JsonObject): JsonObject {
  return { ...value, metadata: { ...(value['metadata'] as JsonObject), managedFields: undefined } };
}

/** An empty managedFields list removes all managers; an absent one does not. Decoding would lose the difference. */
export function keepManagedFieldsReset(value: JsonObject, object: KubeObject): void {
  const given = managersIn(value);
  if (Array.isArray(given) && given.length === 0) object.metadata.managedFields = [resetManagers];
}

/** Kubernetes treats a list with one empty entry in the same way. */
const resetManagers = {} as ManagedFieldsEntry;

function withExpectedKind(object: KubeObject, { group, version, kind }: ExpectedKind): KubeObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion: apiVersionOf({ group, version }), metadata, ...rest };
}

/** A body may omit its kind, but must not have another one. */
function checkKind(typeMeta: TypeMeta, expected: ExpectedKind): void {
  const apiVersion = typeMeta.apiVersion || apiVersionOf(expected);
  const kind = typeMeta.kind || expected.kind;
  if (kind === expected.kind && apiVersion === apiVersionOf(expected)) return;
  if (kind === expected.kind && expected.olderApiVersion === apiVersion) return;

  const why = kindFault({ apiVersion, kind }, expected);
  if (why !== undefined) throw cannotBeHandled(kind, versionOf(apiVersion), expected.kind, why);
  throw otherVersion(apiVersion, expected);
}

function otherVersion(apiVersion: string, expected: ExpectedKind): ApiError {
  return apiErrors.badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(expected)})`,
  );
}

/** Why the object cannot be decoded as the expected kind; undefined if only the version differs. */
export function kindFault({ apiVersion, kind }: TypeMeta, expected: ExpectedKind): string | undefined {
  const malformed = groupVersionFault(apiVersion);
  if (malformed !== undefined) return malformed;
  if (!expected.isKnownKind(apiVersion, kind)) {
    return unregisteredKind(apiVersion, kind);
  }
  if (kind === expected.kind && groupOf(apiVersion) === expected.group) return undefined;
  const to = internalType(expected.group, expected.kind);
  return `converting (${versionOf(apiVersion)}.${kind}) to (${to}): unknown conversion`;
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
