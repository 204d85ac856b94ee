/** Writes the part of DER (X.690) that certificates need. */

/** A value with its tag and length. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** Short form below 128; otherwise the number of length bytes, then the length. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

/** The elements of a set are in the order of their bytes. */
export function set(...elements: readonly Uint8Array[]): Buffer {
  return der(0x31, ...elements.toSorted((one, other) => Buffer.compare(one, other)));
}

/** `[number]` around a value, as ASN.1 writes explicit tags. */
export function tagged(number: number, ...contents: readonly Uint8Array[]): Buffer {
  return der(0xa0 | number, ...contents);
}

/** A positive number. The first byte must be below 0x80 and not 0. */
export function integer(bytes: Uint8Array): Buffer {
  return der(0x02, bytes);
}

export const isTrue = der(0x01, Buffer.from([0xff]));

export function octetString(content: Uint8Array): Buffer {
  return der(0x04, content);
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), content);
}

/** The bits with these numbers, of which none exceeds 7. Trailing zeros are not written. */
export function namedBits(numbers: readonly number[]): Buffer {
  const last = Math.max(...numbers);
  return bitString(Buffer.from([numbers.reduce((bits, number) => bits | (0x80 >> number), 0)]), 7 - last);
}

export function utf8String(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** `1.2.840.10045.4.3.2` */
export function objectIdentifier(text: string): Buffer {
  const [root = 0, second = 0, ...rest] = text.split('.').map(Number);
  return der(0x06, Buffer.from([root * 40 + second, ...rest].flatMap(arcBytes)));
}

/** Seven bits in a byte, all bytes but the last with the highest bit. */
function arcBytes(arc: number): number[] {
  const bytes = [arc & 0x7f];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift(0x80 | (left & 0x7f));
  return bytes;
}

/** In whole seconds. Years from 2050 on have four digits. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}
