import { ProtobufError, ProtobufObjectError } from '@flotilla/builtins';
import {
  apiErrors,
  apiVersionOf,
  isJsonObject,
  pushAll,
  quote,
  type ApiError,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@flotilla/kube';
import type { FieldValidation } from '../../request/write-options.ts';
import { encodings, type Encoding } from '../../request/negotiate.ts';
import { internalType } from '../../resources/internal-type.ts';
import { textOf } from '../../resources/object-bytes.ts';
import type { Codec, ProtobufBody, Resource } from '../../resources/resource.ts';
import type { Call } from '../../call/call.ts';
import { strictProblems } from './strict-problems.ts';
import {
  bodyEncoding,
  cannotBeHandled,
  parseBody,
  readBytes,
  typeMetaOf,
  unrecognized,
  type JsonBody,
  type TypeMeta,
} from './read-body.ts';

/** What a body is read as: usually the resource itself, for some subresources another kind (Scale, Eviction). */
export interface ExpectedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly codec: Codec;
  /** As the resource says. */
  readonly isUnstructured?: boolean;
  /** Whether any kind of that name exists in that version: decides between two refusals. */
  readonly isKnownKind: (apiVersion: string, kind: string) => boolean;
  readonly setDefaults?: (object: KubeObject) => void;
  /** Another name that old clients have for the same fields. */
  readonly olderApiVersion?: string;
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

/** Reads the request's body as one object of the expected kind, with server defaults. */
export async function readObject(call: Call, expected: ExpectedKind, validation: FieldValidation): Promise<KubeObject> {
  return (await readAsWritten(call, expected, validation)).object;
}

export interface ReadObject {
  readonly object: KubeObject;
  /** Who writes an empty list owns it, though it is not stored. Only for working out owners; mostly the object itself. */
  readonly asWritten: KubeObject;
}

export async function readAsWritten(
  call: Call,
  expected: ExpectedKind,
  validation: FieldValidation,
): Promise<ReadObject> {
  const { request } = call;
  const accepted = expected.codec.decodeProtobuf ? encodings : withoutProtobuf;
  const encoding = bodyEncoding(request.headers['content-type'], accepted);
  const bytes = await readBytes(call);
  const body = parseBody(bytes, encoding, expected.kind, expected);
  const object =
    body.encoding === 'protobuf' ? fromProtobuf(bytes, expected) : fromJson(call, body, expected, validation);
  expected.setDefaults?.(object);
  if (body.encoding === 'protobuf' || !holdsEmptyList(bytes)) return { object, asWritten: object };
  return { object, asWritten: writtenForm(typeMetaOf(body, expected.kind).object, expected) ?? object };
}

function holdsEmptyList(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('[]');
}

function writtenForm(value: JsonObject, expected: ExpectedKind): KubeObject | undefined {
  const object = expected.codec.decodeAsWritten?.(value);
  if (!object) return undefined;
  keepReset(value, object);
  expected.setDefaults?.(object);
  return object;
}

function fromProtobuf(bytes: Uint8Array, expected: ExpectedKind): KubeObject {
  const decode = expected.codec.decodeProtobuf;
  if (!decode) throw apiErrors.unsupportedMediaType([]);
  const { apiVersion, kind, object } = decoded(bytes, decode, expected);
  checkKind({ apiVersion, kind }, expected);
  return named(object, expected);
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
  const said = typeMetaOf(body, expected.kind);
  const malformed = groupVersionFault(said.apiVersion);
  if (malformed !== undefined) throw unrecognized(expected.kind, malformed, body.bytes);
  if (expected.isUnstructured === true) return unstructuredFrom(call, body, said, expected, validation);
  checkKind(said, expected);
  const { kind, version } = expected;
  const object = decodeChecked(call, body, said.object, { kind, version, expected, validation });
  return named(object, expected);
}

/** An object of whatever kind it says to be: that it is the right one is for validation to find. */
function unstructuredFrom(
  call: Call,
  body: JsonBody,
  said: TypeMeta & { readonly object: JsonObject },
  expected: ExpectedKind,
  validation: FieldValidation,
): KubeObject {
  const { kind, apiVersion } = said;
  if (kind === '') throw unrecognized(expected.kind, missingKind(textOf(body.bytes)), body.bytes);
  const object = decodeChecked(call, body, said.object, { kind, version: versionOf(apiVersion), expected, validation });
  if (apiVersion !== apiVersionOf(expected)) throw otherVersion(apiVersion, expected);
  return object;
}

export function missingKind(text: string): string {
  return `Object 'Kind' is missing in '${text}'`;
}

interface Decoding {
  /** What the object says that it is: refusals name it. */
  readonly kind: string;
  readonly version: string;
  readonly expected: ExpectedKind;
  readonly validation: FieldValidation;
}

/** Decodes a JSON object; wrong types are refused, unknown and repeated fields according to `validation`. */
function decodeChecked(call: Call, body: JsonBody, value: JsonObject, decoding: Decoding): KubeObject {
  const { kind, version, expected, validation } = decoding;
  const decoded = expected.codec.decode(value);
  const { object, error } = decoded;
  keepReset(value, object);
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

/** An empty list of managers asks to forget them all, which an absent one does not; decoding would make both the same. */
export function keepReset({ metadata }: JsonObject, object: KubeObject): void {
  const given = isJsonObject(metadata) ? metadata['managedFields'] : undefined;
  if (Array.isArray(given) && given.length === 0) object.metadata.managedFields = [forgetAll];
}

/** The other way to say it. */
const forgetAll = {} as ManagedFieldsEntry;

function named(object: KubeObject, { group, version, kind }: ExpectedKind): KubeObject {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  return { kind, apiVersion: apiVersionOf({ group, version }), metadata, ...rest };
}

/** Kubernetes' scheme says where it was made; that place is part of the sentence. */
const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';

/** A body may leave its kind out, but it may not be something else. */
function checkKind(said: TypeMeta, expected: ExpectedKind): void {
  const apiVersion = said.apiVersion || apiVersionOf(expected);
  const kind = said.kind || expected.kind;
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

/** Why an object of one kind cannot be read as another; undefined if they are versions of one. */
export function kindFault({ apiVersion, kind }: TypeMeta, expected: ExpectedKind): string | undefined {
  const malformed = groupVersionFault(apiVersion);
  if (malformed !== undefined) return malformed;
  if (!expected.isKnownKind(apiVersion, kind)) {
    return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} ${scheme}`;
  }
  if (kind === expected.kind && groupOf(apiVersion) === expected.group) return undefined;
  const to = internalType(expected.group, expected.kind);
  return `converting (${versionOf(apiVersion)}.${kind}) to (${to}): unknown conversion`;
}

function groupVersionFault(apiVersion: string): string | undefined {
  return apiVersion.split('/', 3).length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
