/** Turns an error response into the ApiError that the server meant. */
import {
  ApiError,
  decodeUtf8,
  isJsonObject,
  quote,
  type ApiStatus,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import { maxErrorBytes } from './response-limits.ts';
import { ConnectionError } from './connection-error.ts';
import { readBeginning, readJson } from './read-body.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';

/** How much of a body that is no Status goes into the error. */
const maxQuotedBytes = 2048;

export async function errorFromResponse(request: TransportRequest, response: TransportResponse): Promise<ApiError> {
  const bytes = await readBeginning(response.body, maxErrorBytes);
  return new ApiError(statusIn(bytes, response) ?? statusFromCode(request, response, bytes));
}

/** Returns undefined if the value is no Status of a failure. Ignores fields of a wrong type. */
export function asStatus(value: JsonValue | undefined, httpCode: number): ApiStatus | undefined {
  if (!isJsonObject(value) || value['kind'] !== 'Status' || value['status'] !== 'Failure') return undefined;
  const { metadata, message, reason, details, code } = value;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: isJsonObject(metadata) ? metadata : {},
    status: 'Failure',
    ...(typeof message === 'string' && { message: cut(message) }),
    ...(typeof reason === 'string' && { reason }),
    ...(isJsonObject(details) && { details: detailsIn(details) }),
    // Proxies and filters in front of an API server may omit the code.
    code: typeof code === 'number' && code > 0 ? code : httpCode,
  };
}

/** Messages end up in logs and conditions. A condition holds at most 32,768 characters. */
const maxMessage = 16_384;

function cut(message: string): string {
  return message.length <= maxMessage ? message : `${message.slice(0, maxMessage)}…`;
}

type StatusDetails = NonNullable<ApiStatus['details']>;

const detailTexts = ['name', 'group', 'kind', 'uid'] as const;

function detailsIn(details: JsonObject): StatusDetails {
  const { causes, retryAfterSeconds: seconds } = details;
  const texts = detailTexts.flatMap((key) => (typeof details[key] === 'string' ? [[key, details[key]]] : []));
  return {
    ...(Object.fromEntries(texts) as StatusDetails),
    ...(Array.isArray(causes) && { causes: causes.filter(isJsonObject) }),
    ...(typeof seconds === 'number' && seconds >= 0 && { retryAfterSeconds: seconds }),
  };
}

function statusIn(bytes: Uint8Array, { status, headers }: TransportResponse): ApiStatus | undefined {
  if (headers['content-type']?.startsWith('application/json') !== true) return undefined;
  try {
    return asStatus(readJson(bytes), status);
  } catch (error) {
    if (error instanceof ConnectionError) return undefined;
    throw error;
  }
}

/** For responses of proxies and of paths outside the API. The messages are client-go's. */
function statusFromCode({ method }: TransportRequest, response: TransportResponse, bytes: Uint8Array): ApiStatus {
  const { status: code } = response;
  const text = decodeUtf8(bytes.subarray(0, maxQuotedBytes)).trim() || 'unknown';
  const [reason, message] = reasonFromCode(code, method, text);
  const retryAfterSeconds = retryAfterOf(response);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    details: {
      causes: [{ reason: 'UnexpectedServerResponse', message: text }],
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
    code,
  };
}

/** Seconds of a Retry-After header; undefined if there is none. Kubernetes components do not send dates. */
export function retryAfterOf({ headers }: Pick<TransportResponse, 'headers'>): number | undefined {
  const text = headers['retry-after'];
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const reasons: ReadonlyMap<number, readonly [reason: string, message: string]> = new Map([
  [400, ['BadRequest', 'the server rejected our request for an unknown reason']],
  [401, ['Unauthorized', 'the server has asked for the client to provide credentials']],
  [404, ['NotFound', 'the server could not find the requested resource']],
  [405, ['MethodNotAllowed', 'the server does not allow this method on the requested resource']],
  [422, ['Invalid', 'the server rejected our request due to an error in our request']],
  [429, ['TooManyRequests', 'the server has received too many requests and has asked us to try again later']],
  [503, ['ServiceUnavailable', 'the server is currently unable to handle the request']],
  [
    504,
    [
      'Timeout',
      'the server was unable to return a response in the time allotted, but may still be processing the request',
    ],
  ],
]);

function reasonFromCode(code: number, method: string, text: string): readonly [reason: string, message: string] {
  const known = reasons.get(code);
  if (known !== undefined) return known;
  if (code === 403) return ['Forbidden', text];
  if (code === 406) return ['NotAcceptable', text];
  if (code === 415) return ['UnsupportedMediaType', text];
  if (code === 409) return [method === 'POST' ? 'AlreadyExists' : 'Conflict', 'the server reported a conflict'];
  if (code >= 500) {
    return ['InternalError', `an error on the server (${quote(text)}) has prevented the request from succeeding`];
  }
  return ['', `the server responded with the status code ${code} but did not return more information`];
}
