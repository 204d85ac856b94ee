import { encodeProtobuf } from '@flotilla/builtins';
import {
  ApiError,
  indentJson,
  printYaml,
  stringifyJson,
  type ApiRequest,
  type ApiResponse,
  type ApiStatus,
  type JsonObject,
  type ResponseHeaders,
} from '@flotilla/kube';
import { mediaTypes, negotiateStatus, type Encoding, type Representation } from '../request/negotiate.ts';
import type { Query } from '../request/query.ts';
import { warningHeaders } from './warnings.ts';

/** The headers of every response, with warnings if there are any. */
export function headersFor(contentType: string, warnings: readonly string[] = []): ResponseHeaders {
  const headers: ResponseHeaders = { 'content-type': contentType, 'cache-control': 'no-cache, private' };
  if (warnings.length > 0) headers['warning'] = warningHeaders(warnings);
  return headers;
}

/** curl, Wget and browsers get indented JSON, unless `pretty` is set. */
export function wantsPretty(request: Pick<ApiRequest, 'headers'>, query: Query): boolean {
  const asked = query.get('pretty');
  if (asked !== undefined) return asked === 'true' || asked === '1';
  const agent = request.headers['user-agent'] ?? '';
  return agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0');
}

/** Also true if the negotiated representation is pretty. */
export function isPretty({ pretty }: Representation, request: Pick<ApiRequest, 'headers'>, query: Query): boolean {
  return pretty || wantsPretty(request, query);
}

/** Only compact JSON ends with a newline, as in Go. */
export function jsonBytes(value: JsonObject, pretty: boolean): Uint8Array {
  const text = stringifyJson(value);
  return Buffer.from(pretty ? indentJson(text) : `${text}\n`);
}

export function textBytes(encoding: Exclude<Encoding, 'protobuf'>, value: JsonObject, pretty: boolean): Uint8Array {
  return encoding === 'yaml' ? Buffer.from(printYaml(value)) : jsonBytes(value, pretty);
}

export function bytesResponse(
  status: number,
  contentType: string,
  body: Uint8Array,
  warnings: readonly string[] = [],
): ApiResponse {
  return { status, headers: headersFor(contentType, warnings), body };
}

interface StatusParts {
  readonly status: ApiStatus;
  readonly code: number;
  readonly warnings?: readonly string[];
  /** By default what the Accept header allows for a Status. */
  readonly form?: Representation;
}

/** A Status in a representation that the client accepts, or as indented JSON if it accepts none. */
export function statusResponse(
  request: Pick<ApiRequest, 'headers'>,
  query: Query,
  { status, code, warnings, form = negotiateStatus(request.headers['accept']) }: StatusParts,
): ApiResponse {
  const encoding = form?.encoding ?? 'json';
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const headers = headersFor(mediaTypes[encoding], warnings);
  if (retryAfter > 0) headers['retry-after'] = String(retryAfter);
  const pretty = form === undefined || form.pretty || wantsPretty(request, query);
  const body = encoding === 'protobuf' ? encodeProtobuf(status) : textBytes(encoding, status, pretty);
  return { status: code, headers, body };
}

export function errorResponse(
  request: Pick<ApiRequest, 'headers'>,
  query: Query,
  error: ApiError,
  warnings: readonly string[] = [],
): ApiResponse {
  return statusResponse(request, query, { status: error.status, code: error.code, warnings });
}

export function textResponse(status: number, text: string): ApiResponse {
  return {
    status,
    headers: { ...headersFor('text/plain; charset=utf-8'), 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text),
  };
}

/** The response of Go's router to an unknown path. */
export function pageNotFound(): ApiResponse {
  return textResponse(404, '404 page not found\n');
}

/** The response for an aggregated API whose server is not available. */
export function serviceUnavailable(): ApiResponse {
  return textResponse(503, 'service unavailable\n');
}
