/**
 * Finds values in JSON text without parsing them. The text must be as `stringifyJson` prints it: valid, and without blanks
 * between its tokens.
 */

export interface TextMember {
  /** With its quotes, as it stands in the text. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The members of the object that starts at `at`. Ends are found as they are asked for, so a caller may stop early. */
export function* membersOf(text: string, at: number): Generator<TextMember, void> {
  for (let next = at + 1; text[next] === '"';) {
    const keyEnd = endOfString(text, next);
    const member = { key: text.slice(next, keyEnd), start: keyEnd + 1, end: endOfValue(text, keyEnd + 1) };
    yield member;
    next = member.end + 1;
  }
}

/** Where the value of a member starts; undefined if the object that starts at `at` has no such member. */
export function memberOf(text: string, at: number, name: string): number | undefined {
  const wanted = JSON.stringify(name);
  for (let next = at + 1; text[next] === '"';) {
    const keyEnd = endOfString(text, next);
    if (keyEnd - next === wanted.length && text.startsWith(wanted, next)) return keyEnd + 1;
    next = endOfValue(text, keyEnd + 1) + 1;
  }
  return undefined;
}

/** Where each element of the array that starts at `at` starts. */
export function* elementsOf(text: string, at: number): Generator<number, void> {
  if (text[at + 1] === ']') return;
  for (let next = at + 1; ;) {
    yield next;
    const end = endOfValue(text, next);
    if (text[end] !== ',') return;
    next = end + 1;
  }
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const [openBrace, openBracket] = ['{'.charCodeAt(0), '['.charCodeAt(0)];
const [closeBrace, closeBracket] = ['}'.charCodeAt(0), ']'.charCodeAt(0)];

/** Where the value that starts at `start` ends. */
export function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === openBrace || code === openBracket) {
      depth++;
    } else if (code === closeBrace || code === closeBracket) {
      if (--depth <= 0) return depth < 0 ? at : at + 1;
    } else if (code === comma && depth === 0) {
      return at;
    }
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
}
