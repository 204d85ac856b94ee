import { stringifyJson } from './stringify-json.ts';
import { isPrintedExactly, JsonFloat, type JsonObject, type JsonValue } from './value.ts';

/**
 * Bytes of a value as compact JSON. Stops early at a value that exceeds the limit: then the result is larger than the limit, and
 * no more exact. Iterative, because users control the depth of JSON.
 */
export function jsonSize(value: JsonValue, limit: number = Number.POSITIVE_INFINITY): number {
  const pending: JsonValue[] = [value];
  let bytes = 0;
  for (let next = pending.pop(); next !== undefined && bytes <= limit; next = pending.pop()) {
    bytes += ownSize(next, pending);
  }
  return bytes;
}

/** As many bytes as an escape takes, the longest form of a character. */
export const maxPerCharacter = 6;

/** More than any number has that is not kept as text. */
const maxNumberBytes = 25;

/** What a client in the same process is about to send, without printing it. */
export interface PlainSize {
  /**
   * About the bytes of the value as compact JSON, if all texts are ASCII and need no escapes. The printed value has `maxPerCharacter`
   * times as many at most.
   */
  readonly bytes: number;
  /** False if no list in the value is empty. */
  readonly hasEmptyList: boolean;
  /** Whether any of our parsers reads an equal value from the printed one. May be false for a value that is deep. */
  readonly isReadAsPrinted: boolean;
}

/** Takes a tenth of the time of the exact size. */
export function plainJsonSize(value: JsonValue): PlainSize {
  const size = new Measured();
  size.add(value, 0);
  return size;
}

/** Users control the depth of JSON. */
const maxRecursion = 100;

class Measured implements PlainSize {
  bytes = 0;
  hasEmptyList = false;
  isReadAsPrinted = true;

  add(value: JsonValue, depth: number): void {
    // With the comma after it.
    this.bytes += 3;
    if (typeof value === 'string') {
      this.bytes += value.length;
      if (!value.isWellFormed()) this.isReadAsPrinted = false;
    } else if (typeof value === 'object' && value !== null) {
      this.#addContainer(value, depth);
    } else if (typeof value === 'number') {
      this.bytes += maxNumberBytes;
      if (!isPrintedExactly(value)) this.isReadAsPrinted = false;
    } else if (typeof value === 'bigint') {
      this.bytes += String(value).length;
      this.isReadAsPrinted = false;
    } else this.bytes += 4;
  }

  #addContainer(value: JsonObject | JsonValue[] | JsonFloat, depth: number): void {
    if (depth > maxRecursion || 'toJSON' in value) this.isReadAsPrinted = false;
    if (value instanceof JsonFloat) this.bytes += value.literal.length + maxNumberBytes;
    else if (depth > maxRecursion) this.#addDeep(value);
    else if (Array.isArray(value)) this.#addList(value, depth);
    else this.#addMembers(value, depth);
  }

  #addList(list: readonly JsonValue[], depth: number): void {
    if (list.length === 0) this.hasEmptyList = true;
    for (const item of list) this.add(item, depth + 1);
  }

  #addMembers(object: JsonObject, depth: number): void {
    for (const key in object) {
      const member = object[key];
      if (member === undefined) {
        this.isReadAsPrinted = false;
        continue;
      }
      this.bytes += key.length + 3;
      if (!key.isWellFormed()) this.isReadAsPrinted = false;
      this.add(member, depth + 1);
    }
  }

  #addDeep(value: JsonValue): void {
    this.bytes += jsonSize(value);
    this.hasEmptyList = true;
  }
}

/** Bytes of a string as JSON, with its quotes. */
export function jsonTextSize(text: string): number {
  return isPlain.test(text) ? text.length + 2 : Buffer.byteLength(stringifyJson(text));
}

/** ASCII without anything to escape. */
const isPlain = /^[ !#-[\]-~]*$/;

/** Without its children, which it adds to `pending`. */
function ownSize(value: JsonValue, pending: JsonValue[]): number {
  if (typeof value === 'string') return jsonTextSize(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (value instanceof JsonFloat) return stringifyJson(value).length;
  if (Array.isArray(value)) {
    for (const element of value) pending.push(element);
    return Math.max(2, value.length + 1);
  }
  let bytes = 2;
  let members = 0;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    members++;
    bytes += jsonTextSize(key) + 1;
    pending.push(inner);
  }
  return bytes + Math.max(0, members - 1);
}
