/** The AdmissionReview that a webhook receives, and the checks of its answer. */
import {
  isJsonObject,
  JsonError,
  parseJson,
  parseYaml,
  quote,
  stringifyJson,
  YamlError,
  type ApiStatus,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';

export type ReviewVersion = 'v1' | 'v1beta1';

const knownVersions: readonly string[] = ['v1', 'v1beta1'];

/** The first version of the webhook that we know. */
export function reviewVersionOf(offered: readonly string[]): ReviewVersion | undefined {
  return offered.find((version) => knownVersions.includes(version)) as ReviewVersion | undefined;
}

interface ReviewedObjects {
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** `request` comes from `reviewRequest`. */
export function reviewBody(
  version: ReviewVersion,
  uid: string,
  request: JsonObject,
  { object, oldObject }: ReviewedObjects,
): Uint8Array {
  const { dryRun, options, ...rest } = request;
  const review: JsonObject = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { uid, ...rest, object: object ?? null, oldObject: oldObject ?? null, dryRun, options },
  };
  return Buffer.from(stringifyJson(review));
}

/** What a webhook decided. */
export interface ReviewAnswer {
  readonly isAllowed: boolean;
  readonly result: Partial<ApiStatus>;
  /** A JSON patch; absent if the webhook changes nothing. */
  readonly patch?: Uint8Array;
  readonly patchType?: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** An answer that is not a valid AdmissionReview. */
export class InvalidReview extends Error {
  override readonly name = 'InvalidReview';
}

/** An answer that is no AdmissionReview at all. */
export class UndecodableReview extends Error {
  override readonly name = 'UndecodableReview';
}

export interface ExpectedReview {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly isMutating: boolean;
}

export function readReview(bytes: Uint8Array, expected: ExpectedReview): ReviewAnswer {
  const review = decodedReview(bytes, expected.version);
  const { response } = review;
  if (!isJsonObject(response)) throw new InvalidReview('webhook response was absent');
  const { patch, patchType } = response;
  if (expected.version === 'v1') checkReview(review, response, expected);
  const bytesOfPatch = typeof patch === 'string' && patch !== '' ? decodedBase64(patch) : undefined;
  const changes = expected.isMutating && bytesOfPatch !== undefined;
  return {
    isAllowed: response['allowed'] === true,
    result: isJsonObject(response['status']) ? response['status'] : {},
    ...(changes && { patch: bytesOfPatch, patchType: expected.version === 'v1' ? text(patchType) : 'JSONPatch' }),
    warnings: stringsIn(response['warnings']),
    auditAnnotations: textsIn(response['auditAnnotations']),
  };
}

/** Answers of v1beta1 are not checked, as in Kubernetes. */
function checkReview(review: JsonObject, response: JsonObject, { version, uid, isMutating }: ExpectedReview): void {
  const { uid: answered, patch = '', patchType } = response;
  if (answered !== uid) {
    throw new InvalidReview(
      `expected response.uid=${quote(uid)}, got ${quote(typeof answered === 'string' ? answered : '')}`,
    );
  }
  const wanted = `admission.k8s.io/${version}, Kind=AdmissionReview`;
  const got = `${text(review['apiVersion']) || '/'}, Kind=${text(review['kind'])}`;
  if (got !== wanted) throw new InvalidReview(`expected webhook response of ${wanted}, got ${got}`);
  const hasPatch = patch !== '' && patch !== null;
  const hasType = patchType !== undefined && patchType !== null;
  if (!isMutating) {
    if (hasPatch) throw new InvalidReview('validating webhook may not return response.patch');
    if (hasType) throw new InvalidReview('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && !hasType) throw new InvalidReview('webhook returned response.patch but not response.patchType');
  if (!hasPatch && hasType) throw new InvalidReview('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new InvalidReview('webhook returned invalid response.patchType of ""');
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

const group = 'admission.k8s.io';
const ownScheme = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';

function decodedReview(bytes: Uint8Array, expected: ReviewVersion): JsonObject {
  const value = parsed(bytes);
  if (value === null) return {};
  if (!isJsonObject(value)) {
    throw new UndecodableReview(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKindOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  checkKind(text(value['kind']), text(value['apiVersion']), expected);
  if (isJsonObject(value['response'])) checkTypes(value['response']);
  return value;
}

/** Kinds without a group, which Kubernetes can decode in every place. */
const metaKinds: readonly string[] = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];

function checkKind(kind: string, apiVersion: string, expected: ReviewVersion): void {
  if (apiVersion === 'v1' && metaKinds.includes(kind)) {
    throw new UndecodableReview(`converting (v1.${kind}) to (${expected}.AdmissionReview): unknown conversion`);
  }
  const version = knownVersions.find((known) => apiVersion === `${group}/${known}`);
  if ((kind !== '' && kind !== 'AdmissionReview') || (apiVersion !== '' && version === undefined)) {
    const shownKind = quote(kind || 'AdmissionReview');
    throw new UndecodableReview(
      `no kind ${shownKind} is registered for version ${quote(apiVersion)} in scheme ${quote(ownScheme)}`,
    );
  }
  if (version === undefined || version === expected) return;
  throw new UndecodableReview(
    `converting (${version}.AdmissionReview) to (${expected}.AdmissionReview): unknown conversion`,
  );
}

/** The fields of a response, by the names of their JSON and Go types. */
const fieldTypes: readonly (readonly [field: string, type: string, goType: string])[] = [
  ['uid', 'string', 'types.UID'],
  ['allowed', 'bool', 'bool'],
  ['status', 'object', 'v1.Status'],
  ['patch', 'string', '[]uint8'],
  ['patchType', 'string', 'string'],
  ['auditAnnotations', 'object', 'map[string]string'],
  ['warnings', 'array', '[]string'],
];

function checkTypes(response: JsonObject): void {
  for (const [field, type, goType] of fieldTypes) {
    const value = response[field];
    if (value === undefined || value === null || goKindOf(value) === type) continue;
    throw new UndecodableReview(
      `json: cannot unmarshal ${goKindOf(value)} into Go struct field AdmissionResponse.response.${field} of type ${goType}`,
    );
  }
}

function goKindOf(value: Exclude<JsonValue, null>): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return isJsonObject(value) ? 'object' : 'number';
}

/** Kubernetes reads what is not JSON as YAML. */
function parsed(bytes: Uint8Array): JsonValue {
  const text = Buffer.from(bytes).toString('utf8');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return parsedSlowly(text);
  }
}

/** For the messages of Go's parser, and for YAML. */
function parsedSlowly(text: string): JsonValue {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const yaml = text.trimStart().startsWith('{') ? undefined : parsedYaml(text);
    if (yaml !== undefined) return yaml;
    throw new UndecodableReview(`couldn't get version/kind; json parse error: ${error.message}`, { cause: error });
  }
}

const maxYamlLength = 4096;

/** Undefined if it is no YAML, or longer than the answer of any webhook that sends some. */
function parsedYaml(text: string): JsonValue | undefined {
  if (text.length > maxYamlLength) return undefined;
  try {
    return parseYaml(text).value;
  } catch (error) {
    if (error instanceof YamlError || error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Groups of four would be exact, but exhaust the stack on a long text. */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function decodedBase64(value: string): Uint8Array {
  if (value.length % 4 === 0 && base64.test(value)) return Buffer.from(value, 'base64');
  const valid = /^[A-Za-z0-9+/]*/.exec(value)?.[0].length ?? 0;
  throw new UndecodableReview(`illegal base64 data at input byte ${valid}`);
}

function stringsIn(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function textsIn(value: JsonValue | undefined): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
