/** Reads the part of DER (X.690) that certificates and requests for them need. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The value with its tag and length: the bytes that signatures cover. */
  readonly whole: Uint8Array;
}

export class DerError extends Error {
  override readonly name = 'DerError';
}

export const derSequence = 0x30;
export const derBitString = 0x03;
export const derOctetString = 0x04;
export const derObjectIdentifier = 0x06;
export const derSet = 0x31;

export function readDer(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = readValue(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

export function expectDer(value: DerValue | undefined, tag: number): DerValue {
  if (value === undefined) throw new DerError('asn1: syntax error: sequence truncated');
  if (value.tag !== tag) throw new DerError("asn1: structure error: tags don't match");
  return value;
}

/** `1.2.840.10045.4.3.2` */
export function objectIdentifierText({ content }: DerValue): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join('.');
}

function readValue(bytes: Uint8Array, start: number): DerValue {
  const tag = byteAt(bytes, start);
  const { length, size } = readLength(bytes, start + 1);
  const from = start + 1 + size;
  if (from + length > bytes.length) throw new DerError('asn1: syntax error: data truncated');
  return { tag, content: bytes.subarray(from, from + length), whole: bytes.subarray(start, from + length) };
}

/** Short form below 128; otherwise the number of length bytes, then the length. */
function readLength(bytes: Uint8Array, at: number): { length: number; size: number } {
  const first = byteAt(bytes, at);
  if (first < 0x80) return { length: first, size: 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 4) throw new DerError('asn1: structure error: length too large');
  let length = 0;
  for (let i = 1; i <= count; i++) length = length * 256 + byteAt(bytes, at + i);
  return { length, size: 1 + count };
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new DerError('asn1: syntax error: truncated tag or length');
  return byte;
}
