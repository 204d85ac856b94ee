/** The subject of a certificate request (RFC 5280, 4.1.2.4), read as Go's decoder reads it. */
import { DerError, derObjectIdentifier, derSequence, derSet, expectDer, objectIdentifierText, readDer } from './der.ts';
import type { DerValue } from './der.ts';

export interface SubjectAttribute {
  /** An object identifier, for instance `2.5.4.3`. */
  readonly type: string;
  readonly value: string;
}

export const commonNameType = '2.5.4.3';
export const organizationType = '2.5.4.10';

/** All attributes that are text, in order. A set may have several, and a type may repeat. */
export function readSubject(name: DerValue): SubjectAttribute[] {
  return readDer(expectDer(name, derSequence).content).flatMap((set) =>
    readDer(expectDer(set, derSet).content).flatMap(readAttribute),
  );
}

function readAttribute(pair: DerValue): SubjectAttribute[] {
  const [type, text] = readDer(expectDer(pair, derSequence).content);
  if (text === undefined) throw new DerError('asn1: syntax error: sequence truncated');
  const value = textOf(text);
  return value === undefined ? [] : [{ type: objectIdentifierText(expectDer(type, derObjectIdentifier)), value }];
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined for other types: Go leaves them out of the subject. */
function textOf({ tag, content }: DerValue): string | undefined {
  switch (tag) {
    case 0x0c:
      return utf8(content);
    case 0x12:
      return matching(content, /^[\d ]*$/, 'NumericString contains invalid character');
    case 0x13:
      return matching(content, /^[A-Za-z\d '()+,\-./:=?*&]*$/, 'PrintableString contains invalid character');
    case 0x14:
      return Buffer.from(content).toString('utf8');
    case 0x16:
      return matching(content, /^[\0-\x7f]*$/, 'IA5String contains invalid character');
    case 0x1e:
      return utf16(content);
    default:
      return undefined;
  }
}

function utf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw new DerError('asn1: invalid UTF-8 string');
  }
}

function matching(bytes: Uint8Array, pattern: RegExp, problem: string): string {
  const text = Buffer.from(bytes).toString('latin1');
  if (!pattern.test(text)) throw new DerError(`asn1: syntax error: ${problem}`);
  return text;
}

/** Big-endian, with an optional terminating zero. */
function utf16(bytes: Uint8Array): string {
  if (bytes.length % 2 !== 0) throw new DerError('asn1: syntax error: invalid BMPString');
  const text = Buffer.from(bytes).swap16().toString('utf16le');
  return text.endsWith('\0') ? text.slice(0, -1) : text;
}
