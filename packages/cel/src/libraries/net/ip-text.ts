/**
 * IP addresses as Go's `net/netip` parses them. It is stricter than `net`: no leading zeros, at most four digits in
 * a group.
 */
import { quote } from '@flotilla/kube';

export interface Address {
  /** Four or sixteen. */
  readonly bytes: Uint8Array;
  /** For IPv6: what follows the percent sign. */
  readonly zone: string;
}

/** An error with netip's message. */
export interface AddressProblem {
  readonly problem: string;
}

export function parseAddress(text: string): Address | AddressProblem {
  const first = text.search(/[.:%]/);
  if (first < 0) return failure(text, 'unable to parse IP');
  if (text[first] === '%') return failure(text, 'missing IPv6 address');
  if (text[first] === ':') return parseV6(text);
  const bytes = parseV4Fields(text, text);
  return 'problem' in bytes ? bytes : { bytes, zone: '' };
}

/** Dots for IPv4, RFC 5952 for IPv6. */
export function printAddress({ bytes }: Pick<Address, 'bytes'>): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => groupAt(bytes, index));
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  return length < 2 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** `::ffff:1.2.3.4`. */
export function isMapped({ bytes }: Address): boolean {
  return (
    bytes.length === 16 && bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((byte) => byte === 0)
  );
}

export function groupAt(bytes: Uint8Array, index: number): number {
  return ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0);
}

function failure(text: string, message: string, at = ''): AddressProblem {
  const place = at === '' ? '' : ` (at ${quote(at)})`;
  return { problem: `ParseAddr(${quote(text)}): ${message}${place}` };
}

/** `text` is the whole text for messages; `fields` may be its end. */
function parseV4Fields(text: string, fields: string): Uint8Array | AddressProblem {
  const bytes = new Uint8Array(4);
  let position = 0;
  let digits = '';
  for (let index = 0; index < fields.length; index++) {
    const character = fields.charAt(index);
    if (/\d/.test(character)) {
      if (digits === '0') return failure(text, 'IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) return failure(text, 'IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === '' || index === fields.length - 1) {
        return failure(text, 'IPv4 field must have at least one digit', fields.slice(index));
      }
      if (position === 3) return failure(text, 'IPv4 address too long');
      bytes[position++] = Number(digits);
      digits = '';
    } else {
      return failure(text, 'unexpected character', fields.slice(index));
    }
  }
  if (position < 3) return failure(text, 'IPv4 address too short');
  bytes[3] = Number(digits);
  return bytes;
}

function parseV6(text: string): Address | AddressProblem {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return failure(text, 'zone must be a non-empty string');
  const bytes = parseV6Groups(text, percent < 0 ? text : text.slice(0, percent));
  return 'problem' in bytes ? bytes : { bytes, zone };
}

function parseV6Groups(text: string, address: string): Uint8Array | AddressProblem {
  const read: number[] = [];
  let ellipsis = -1;
  let rest = address;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return new Uint8Array(16);
  }
  while (read.length < 16) {
    const [group = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (group.length > 4) return failure(text, 'each group must have 4 or less digits', rest);
    if (group === '') return failure(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[group.length] === '.') {
      const problem = misplacedV4(text, rest, ellipsis, read.length);
      if (problem !== undefined) return problem;
      const fields = parseV4Fields(text, rest);
      if ('problem' in fields) return fields;
      read.push(...fields);
      rest = '';
      break;
    }
    const value = Number.parseInt(group, 16);
    read.push(value >> 8, value & 0xff);
    rest = rest.slice(group.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return failure(text, 'unexpected character, want colon', rest);
    if (rest.length === 1) return failure(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return failure(text, 'multiple :: in address', rest);
      ellipsis = read.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return failure(text, 'trailing garbage after address', rest);
  return expand(text, read, ellipsis);
}

function misplacedV4(text: string, rest: string, ellipsis: number, filled: number): AddressProblem | undefined {
  if (ellipsis < 0 && filled !== 12) {
    return failure(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  }
  if (filled <= 12) return undefined;
  return failure(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
}

function expand(text: string, read: readonly number[], ellipsis: number): Uint8Array | AddressProblem {
  if (read.length === 16) {
    return ellipsis < 0 ? Uint8Array.from(read) : failure(text, 'the :: must expand to at least one field of zeros');
  }
  if (ellipsis < 0) return failure(text, 'address string too short');
  const bytes = new Uint8Array(16);
  bytes.set(read.slice(0, ellipsis));
  bytes.set(read.slice(ellipsis), 16 - (read.length - ellipsis));
  return bytes;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index <= groups.length; index++) {
    if (groups[index] === 0) continue;
    if (index - start > longest.length) longest = { start, length: index - start };
    start = index + 1;
  }
  return longest;
}
