import {
  decodeUtf8,
  isJsonObject,
  JsonError,
  parseStoredJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { AnswerTooLarge } from './answer-limits.ts';
import { ConnectionError } from './connection-error.ts';

/**
 * What a server printed. Servers print each key once and integers without exponents, so the fast reader will do: it keeps
 * every int64.
 */
export function readJson(bytes: Uint8Array): JsonValue {
  try {
    return parseStoredJson(decodeUtf8(bytes));
  } catch (error) {
    // A RangeError is a text that is nested too deeply, or too long for a string.
    if (error instanceof SyntaxError || error instanceof JsonError || error instanceof RangeError) {
      // The engine quotes the text, which may hold what a terminal obeys.
      const why = error.message.replaceAll(/\p{Cc}/gu, ' ');
      throw new ConnectionError(`the server's answer is no JSON: ${why}`, 'cut', { cause: error });
    }
    throw error;
  }
}

export function readJsonObject(bytes: Uint8Array): JsonObject {
  const value = readJson(bytes);
  if (!isJsonObject(value)) throw new ConnectionError("the server's answer is no JSON object", 'cut');
  return value;
}

export function readObject(bytes: Uint8Array): KubeObject {
  const value = readJsonObject(bytes);
  if (!isKubeObject(value)) throw new ConnectionError("the server's answer is no object of Kubernetes", 'cut');
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

/** A whole body as one piece. */
export async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new AnswerTooLarge("the server's answer", maxBytes);
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** The beginning of a body; the rest is cancelled. */
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
