import { compareBytes } from '../go-format.ts';
import { isJsonObject, JsonFloat, type JsonValue } from './value.ts';

export interface GoJsonOptions {
  /** Go's default: `<`, `>` and `&` as escapes, so that JSON may stand in HTML. */
  readonly escapeHtml?: boolean;
  /** Go sorts the keys of maps, but keeps the order of a struct's fields. */
  readonly sortKeys?: boolean;
}

const HTML_OR_SEPARATOR = /[<>&\u2028\u2029]/g;
const SEPARATOR = /[\u2028\u2029]/g;

/** Compact JSON as Go's encoder prints it. Nesting is as deep as what the parser lets in. */
export function goJson(value: JsonValue, { escapeHtml = true, sortKeys = true }: GoJsonOptions = {}): string {
  const text = print(value, sortKeys);
  return escapeHtml ? escapeForHtml(text) : text.replace(SEPARATOR, unicodeEscape);
}

/** These characters stand only inside strings, so a finished JSON text can be escaped as a whole. */
export function escapeForHtml(json: string): string {
  return json.replace(HTML_OR_SEPARATOR, unicodeEscape);
}

function print(value: JsonValue, sortKeys: boolean): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof JsonFloat) return Object.is(value.value, -0) ? '-0' : JSON.stringify(value.value);
  if (Array.isArray(value)) return `[${value.map((item) => print(item, sortKeys)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members: string[] = [];
  for (const key of sortKeys ? Object.keys(value).sort(compareBytes) : Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key.toWellFormed())}:${print(member, sortKeys)}`);
  }
  return `{${members.join(',')}}`;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
