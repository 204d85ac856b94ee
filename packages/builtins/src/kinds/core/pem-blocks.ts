/** PEM as Go's `encoding/pem` reads it: skips what is not a complete block, allows headers and blanks in the body. */
import { Base64Error, canonicalBase64 } from '../../decode/base64.ts';

export interface PemBlock {
  readonly type: string;
  readonly bytes: Buffer;
}

const beginMarker = '-----BEGIN ';
const endMarker = '\n-----END ';
const dashes = '-----';

export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let next = nextBlock(text, 0); next !== undefined; next = nextBlock(text, next.end)) blocks.push(next.block);
  return blocks;
}

interface Found {
  readonly block: PemBlock;
  readonly end: number;
}

/**
 * Tries each END line with the last BEGIN line before it, so that a BEGIN without an END does not hide another block.
 */
function nextBlock(text: string, start: number): Found | undefined {
  for (let from = start; ;) {
    const end = text.indexOf(endMarker, from);
    if (end < 0) return undefined;
    const begin = text.slice(from, end).lastIndexOf(beginMarker) + from;
    const found = begin < from ? undefined : blockAt(text, from, begin, end);
    if (found) return found;
    from = end + endMarker.length;
  }
}

function blockAt(text: string, from: number, begin: number, end: number): Found | undefined {
  if (begin > from && text[begin - 1] !== '\n') return undefined;
  const title = lineAt(text, begin + beginMarker.length);
  if (!title.line.endsWith(dashes)) return undefined;
  const type = title.line.slice(0, -dashes.length);
  let body = title.next;
  for (let line = lineAt(text, body); line.line.includes(':') && body < end; line = lineAt(text, body))
    body = line.next;
  const trailer = end + endMarker.length;
  if (!text.startsWith(`${type}${dashes}`, trailer)) return undefined;
  const last = lineAt(text, trailer + type.length + dashes.length);
  const bytes = last.line === '' ? decoded(text.slice(body, end)) : undefined;
  return bytes && { block: { type, bytes }, end: last.next };
}

function lineAt(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  const end = newline < 0 ? text.length : newline;
  let last = beforeBlanks(text, start, end);
  if (newline >= 0 && last > start && text[last - 1] === '\r') last = beforeBlanks(text, start, last - 1);
  return { line: text.slice(start, last), next: end + 1 };
}

/** Where the blanks before `end` begin. A regular expression with `$` would take quadratic time. */
function beforeBlanks(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

function decoded(base64: string): Buffer | undefined {
  try {
    return Buffer.from(canonicalBase64(base64.replaceAll(/[ \t]/g, '')), 'base64');
  } catch (error) {
    if (error instanceof Base64Error) return undefined;
    throw error;
  }
}
