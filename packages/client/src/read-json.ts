import { decodeUtf8, isJsonObject, JsonError, parseStoredJson, type JsonObject, type JsonValue } from '@flotilla/kube';
import { ConnectionError } from './connection-error.ts';

/**
 * What a server printed. Servers print each key once and integers without exponents, so the fast reader will do: it keeps
 * every int64.
 */
export function readJson(bytes: Uint8Array): JsonValue {
  try {
    return parseStoredJson(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) {
      throw new ConnectionError(`the server's answer is no JSON: ${error.message}`, 'cut', { cause: error });
    }
    throw error;
  }
}

export function readJsonObject(bytes: Uint8Array): JsonObject {
  const value = readJson(bytes);
  if (!isJsonObject(value)) throw new ConnectionError("the server's answer is no JSON object", 'cut');
  return value;
}
