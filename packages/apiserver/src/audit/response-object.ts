/** The object in the body of a response, for its audit event. */
import { decodeProtobuf } from '@flotilla/builtins';
import {
  decodeUtf8,
  isJsonObject,
  parseStoredJson,
  parseYaml,
  stringifyJson,
  yamlText,
  type ApiResponse,
  type JsonObject,
  type JsonValue,
} from '@flotilla/kube';
import { mediaTypes } from '../request/negotiate.ts';
import type { ResponseStatus } from './audit-event.ts';

/** Parsing this much takes about 10 ms. */
export const maxParsedBytes = 1024 * 1024;

/** An event has room for this much of a response that need not be parsed. */
export const maxKeptBytes = 8 * 1024 * 1024;

type Headers = ApiResponse['headers'];

/** The object as JSON text. Undefined if the body contains none, or `isTooLarge` for the time and memory of an event. */
export interface ResponseObject {
  readonly text?: string | undefined;
  readonly isTooLarge?: boolean;
}

export function responseObject(headers: Headers, body: Uint8Array, omitsManagedFields: boolean): ResponseObject {
  if (mediaTypeOf(headers) === mediaTypes.json && isCompact(body) && !omitsManagedFields) {
    return body.length > maxKeptBytes ? { isTooLarge: true } : { text: decodeUtf8(body).trimEnd() };
  }
  if (body.length > maxParsedBytes) return { isTooLarge: true };
  const object = objectIn(headers, body);
  if (object === undefined) return {};
  if (omitsManagedFields) dropManagedFields(object);
  return { text: stringifyJson(object) };
}

/** Only indented JSON has a newline after its first brace. */
function isCompact(body: Uint8Array): boolean {
  return body[0] === brace && body[1] !== newline;
}

const brace = '{'.charCodeAt(0);
const newline = '\n'.charCodeAt(0);

/** No Status is larger. */
const maxStatusBytes = 128 * 1024;

/** Code and text of a response; all of it if the body is a Status. */
export function responseStatus(code: number, headers: Headers, body: Uint8Array): ResponseStatus {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 64));
  if (body.length > maxStatusBytes || !head.includes('Status')) return { code };
  const object = objectIn(headers, body);
  if (object?.['kind'] !== 'Status' || object['apiVersion'] !== 'v1') return { code };
  const { status, message, reason, details } = object as Partial<ResponseStatus>;
  return {
    ...(status !== undefined && { status }),
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(details !== undefined && { details }),
    code,
  };
}

function objectIn(headers: Headers, body: Uint8Array): JsonObject | undefined {
  try {
    const value = valueIn(mediaTypeOf(headers), body);
    return value !== undefined && isJsonObject(value) ? value : undefined;
  } catch {
    // A body of another kind, such as the text of a log.
    return undefined;
  }
}

function valueIn(mediaType: string, body: Uint8Array): JsonValue | undefined {
  switch (mediaType) {
    case mediaTypes.json:
      return parseStoredJson(decodeUtf8(body));
    case mediaTypes.yaml:
      return parseYaml(yamlText(body)).value;
    case mediaTypes.protobuf:
      return decodeProtobuf(body).object;
    default:
      return undefined;
  }
}

function mediaTypeOf(headers: Headers): string {
  const [mediaType = ''] = String(headers['content-type'] ?? '').split(';', 1);
  return mediaType;
}

/** From an object, or from the items of a list or the rows of a Table. */
export function dropManagedFields(object: JsonObject): void {
  dropFrom(object);
  for (const field of ['items', 'rows']) {
    const entries = object[field];
    if (!Array.isArray(entries)) continue;
    for (const entry of entries) if (isJsonObject(entry)) dropFrom(field === 'rows' ? entry['object'] : entry);
  }
}

function dropFrom(object: JsonValue | undefined): void {
  const metadata = object !== undefined && isJsonObject(object) ? object['metadata'] : undefined;
  if (metadata !== undefined && isJsonObject(metadata)) delete metadata['managedFields'];
}
