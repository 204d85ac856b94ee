import {
  ApiError,
  apiErrors,
  decodeUtf8,
  isJsonObject,
  JsonError,
  JsonRangeError,
  parseJson,
  parsePrintedJson,
  parseUnboundedJson,
  parseYaml,
  quote,
  textOf,
  YamlError,
  yamlText,
  BytesBody,
  type JsonObject,
  type JsonValue,
  type RequestBody,
} from '@flotilla/kube';
import { mediaTypes, type Encoding } from '../../request/negotiate.ts';
import { requestTimeoutMs, withTimeout } from '../../request/request-timeout.ts';
import { unreadableTypeMeta } from '../../resources/type-meta.ts';
import type { Call } from '../../call/call.ts';

/** The limit of kube-apiserver. */
const maxBodyBytes = 3 * 1024 * 1024;

/** A request's body, parsed but not yet decoded as a kind. */
type Body = JsonBody | ProtobufBytes;

export class JsonBody implements Parsed {
  readonly encoding: 'json' | 'yaml';
  readonly value: JsonValue;
  readonly duplicates: readonly string[];
  readonly #received: RequestBody;

  constructor(encoding: JsonBody['encoding'], received: RequestBody, { value, duplicates }: Parsed) {
    this.encoding = encoding;
    this.value = value;
    this.duplicates = duplicates;
    this.#received = received;
  }

  /** False if a client in this process uses the value too. */
  get isOwned(): boolean {
    return this.value !== this.#received.value;
  }

  /** For errors. */
  get bytes(): Uint8Array {
    return this.#received.bytes;
  }
}

interface ProtobufBytes {
  readonly encoding: 'protobuf';
  readonly bytes: Uint8Array;
}

/** The encoding that a Content-Type names; JSON if it is missing. */
export function bodyEncoding(contentType: string | undefined, accepted: readonly Encoding[]): Encoding {
  if (contentType === undefined || contentType === '' || contentType === mediaTypes.json) return 'json';
  const mediaType = mediaTypeOf(contentType);
  const encoding = accepted.find((candidate) => mediaTypes[candidate] === mediaType);
  if (encoding !== undefined) return encoding;
  throw apiErrors.unsupportedMediaType(accepted.map((candidate) => mediaTypes[candidate]));
}

function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** Receives the whole body within the request's timeout. Until then the request holds memory, and no seat. */
function receiveBody({ request, info, server, inFlight }: Call): RequestBody | Promise<RequestBody> {
  inFlight?.wait();
  const { receivedBody: body } = request;
  if (body !== undefined && (body.maxSize <= maxBodyBytes || body.bytes.length <= maxBodyBytes)) return body;
  const receiving = request.body(maxBodyBytes, inFlight).then((bytes) => new BytesBody(bytes));
  return withTimeout(requestTimeoutMs(info.query), server.after, receiving);
}

/** Returns the whole body when the request may execute. Throws `TooHeavy` if it must run in the worker. */
export function readBody(call: Call): RequestBody | Promise<RequestBody> {
  const received = receiveBody(call);
  return received instanceof Promise ? received.then((body) => bodyInTurn(call, body)) : bodyInTurn(call, received);
}

function bodyInTurn(call: Call, body: RequestBody): RequestBody | Promise<RequestBody> {
  const { heavy } = call.server;
  // A request that the worker runs needs a seat, and no time of this thread.
  const tooHeavy = heavy?.whyHeavy(call, body);
  const turn = whenToBegin(call, tooHeavy ? undefined : body.plainSize);
  // The stored object may have grown since.
  if (turn) return turn.then(() => retryable(call, body, tooHeavy ?? heavy?.whyHeavy(call, body)));
  return retryable(call, body, tooHeavy);
}

function retryable(call: Call, body: RequestBody, tooHeavy: Error | undefined): RequestBody {
  const { heavy } = call.server;
  if (tooHeavy) throw tooHeavy;
  if (heavy) call.retry = heavy.retryOf(call, body);
  return body;
}

function whenToBegin({ inFlight, server }: Call, bodyBytes: number | undefined): Promise<void> | undefined {
  if (inFlight) return inFlight.begin(bodyBytes);
  return bodyBytes === undefined ? undefined : server.turns.whenToBegin(bodyBytes);
}

/** `isUnstructured` if Go decodes the body into maps, which refuse numbers that overflow. */
export function parseBody(
  received: RequestBody,
  encoding: Encoding,
  expectedKind: string,
  { version = 'v1', isUnstructured = false }: { readonly version?: string; readonly isUnstructured?: boolean } = {},
): Body {
  if (encoding === 'protobuf') return { encoding, bytes: received.bytes };
  const value = encoding === 'json' ? received.value : undefined;
  if (value !== undefined) return new JsonBody('json', received, { value, duplicates: [] });
  const { bytes, isPrinted } = received;
  const exact = isUnstructured ? parseJson : parseUnboundedJson;
  const parse = (): Parsed => {
    if (encoding === 'yaml') return parseYaml(yamlText(bytes));
    const text = decodeUtf8(bytes);
    return isPrinted ? parsePrintedJson(text, exact) : exact(text);
  };
  return new JsonBody(encoding, received, parseOrRefuse(bytes, parse, expectedKind, version));
}

interface Parsed {
  readonly value: JsonValue;
  /** Paths of repeated keys. */
  readonly duplicates: readonly string[];
}

function parseOrRefuse(bytes: Uint8Array, parse: () => Parsed, expectedKind: string, version: string): Parsed {
  try {
    return parse();
  } catch (error) {
    if (error instanceof JsonRangeError) throw cannotBeHandled(expectedKind, version, expectedKind, error.message);
    if (error instanceof JsonError) {
      throw unrecognized(expectedKind, `couldn't get version/kind; json parse error: ${error.message}`, bytes);
    }
    if (error instanceof YamlError) throw unrecognized(expectedKind, error.message, bytes);
    throw error;
  }
}

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The kind and apiVersion in a body; empty strings if they are missing. */
export function typeMetaOf(body: JsonBody, expectedKind: string): TypeMeta & { readonly object: JsonObject } {
  const { value } = body;
  if (value === null) return { apiVersion: '', kind: '', object: {} };
  const problem = unreadableTypeMeta(value);
  if (problem !== undefined || !isJsonObject(value)) throw unrecognized(expectedKind, problem ?? '', body.bytes);
  return { apiVersion: textOf(value['apiVersion']), kind: textOf(value['kind']), object: value };
}

/** How much of the body the error shows. */
const maxSummaryBytes = 30;

export function unrecognized(expectedKind: string, why: string, bytes: Uint8Array): ApiError {
  if (expectedKind === '') return apiErrors.badRequest(why);
  return apiErrors.badRequest(
    `the object provided is unrecognized (must be of type ${expectedKind}): ${why} (${summaryOf(bytes)})`,
  );
}

function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const encoding = bytes[0] === '{'.charCodeAt(0) ? 'utf8' : 'hex';
  const shown = Buffer.from(bytes.subarray(0, maxSummaryBytes)).toString(encoding);
  return bytes.length > maxSummaryBytes ? `${shown} ...` : shown;
}

/** `Deployment in version "v1" cannot be handled as a Deployment: …` */
export function cannotBeHandled(kind: string, version: string, expectedKind: string, why: string): ApiError {
  return apiErrors.badRequest(`${kind} in version ${quote(version)} cannot be handled as a ${expectedKind}: ${why}`);
}
