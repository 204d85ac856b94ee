import {
  decodeUtf8,
  isJsonObject,
  JsonError,
  parseStoredJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { WholeBody } from './body-queue.ts';
import { ResponseTooLarge } from './response-limits.ts';
import { ConnectionError } from './connection-error.ts';

/**
 * Parses JSON from a server. Servers print each key once and integers without exponents, so the fast parser keeps
 * every int64.
 */
export function readJson(bytes: Uint8Array): JsonValue {
  try {
    return parseStoredJson(decodeUtf8(bytes));
  } catch (error) {
    // A RangeError means that the text is nested too deeply, or too long for a string.
    if (error instanceof SyntaxError || error instanceof JsonError || error instanceof RangeError) {
      // The engine quotes the text, which may contain terminal control characters.
      const why = error.message.replaceAll(/\p{Cc}/gu, ' ');
      throw new ConnectionError(`the response is not JSON: ${why}`, 'cut', { cause: error });
    }
    throw error;
  }
}

export function readJsonObject(bytes: Uint8Array): JsonObject {
  const value = readJson(bytes);
  if (!isJsonObject(value)) throw new ConnectionError('the response is not a JSON object', 'cut');
  return value;
}

export function readObject(bytes: Uint8Array): KubeObject {
  const value = readJsonObject(bytes);
  if (!isKubeObject(value)) throw new ConnectionError('the response is not a Kubernetes object', 'cut');
  return value;
}

/** Checks what identifies an object and its revision. Callers must not rely on the types of other fields. */
export function isKubeObject(value: JsonValue | undefined): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const { name, namespace, uid, resourceVersion } = value['metadata'];
  return isTextOrAbsent(name) && isTextOrAbsent(namespace) && isTextOrAbsent(uid) && isTextOrAbsent(resourceVersion);
}

function isTextOrAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'string';
}

/** Reads a whole body. Throws ResponseTooLarge beyond `maxBytes`. */
export async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  // An iteration that waits costs more than reading a small object.
  if (body instanceof WholeBody) return joined(body.pieces, maxBytes);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new ResponseTooLarge('the response', maxBytes);
    pieces.push(piece);
  }
  return joined(pieces, maxBytes);
}

function joined(pieces: readonly Uint8Array[], maxBytes: number): Uint8Array {
  const bytes = pieces.reduce((total, { length }) => total + length, 0);
  if (bytes > maxBytes) throw new ResponseTooLarge('the response', maxBytes);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** Reads the first `maxBytes` of a body and cancels the rest. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
