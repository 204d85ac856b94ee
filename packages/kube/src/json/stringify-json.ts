import { escapeForHtml, goJson } from './go-json.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** JSON for the wire: keys in their given order, escapes as Go prints them. */
export function stringifyJson(value: JsonValue): string {
  try {
    return escapeForHtml(JSON.stringify(value));
  } catch (error) {
    // The engine refuses bigints and deep nesting. Both are rare, so checking first would cost more.
    if (error instanceof TypeError || error instanceof RangeError) return goJson(value, { sortKeys: false });
    throw error;
  }
}

/** The members of an object without its braces: a piece of a text that others go on with. */
export function stringifyMembers(object: JsonObject): string {
  return stringifyJson(object).slice(1, -1);
}

/**
 * Indents compact JSON for `?pretty=true` with two spaces a level. The caller adds the final newline. `outerDepth`
 * is the depth of the text in a larger one.
 */
export function indentJson(json: string, outerDepth = 0): string {
  const pieces: string[] = [];
  let depth = outerDepth;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') {
      at = endOfString(json, at);
    } else if (character === ':') {
      pieces.push(json.slice(from, at), ': ');
      from = at + 1;
    } else if (character === ',') {
      pieces.push(json.slice(from, at + 1), lineAt(depth));
      from = at + 1;
    } else if (character === '{' || character === '[') {
      if (isClosing(json[at + 1])) {
        at++;
      } else {
        pieces.push(json.slice(from, at + 1), lineAt(++depth));
        from = at + 1;
      }
    } else if (isClosing(character)) {
      pieces.push(json.slice(from, at), lineAt(--depth));
      from = at;
    }
  }
  pieces.push(json.slice(from));
  return pieces.join('');
}

function isClosing(character: string | undefined): boolean {
  return character === '}' || character === ']';
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
