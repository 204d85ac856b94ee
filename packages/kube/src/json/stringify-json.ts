import { escapeForHtml, goJson } from './go-json.ts';
import type { JsonValue } from './value.ts';

/** The JSON that goes over the wire: keys in the order they have, escapes as Go's encoder writes them. */
export function stringifyJson(value: JsonValue): string {
  try {
    return escapeForHtml(JSON.stringify(value));
  } catch (error) {
    // The engine refuses bigints and great depth. Both are rare, so looking for them first would cost more.
    if (error instanceof TypeError || error instanceof RangeError) return goJson(value, { sortKeys: false });
    throw error;
  }
}

/**
 * Compact JSON spread over lines, as `?pretty=true` asks for it: two spaces for each level, a newline at the end is the caller's.
 * `outerDepth`: how many levels it stands in.
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
