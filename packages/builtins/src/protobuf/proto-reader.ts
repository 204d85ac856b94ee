/** The bytes are not a message of the type. The text is Go's where Go has one. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Decoding failed after the envelope had named the kind. */
export class ProtobufObjectError extends ProtobufError {
  readonly apiVersion: string;
  readonly kind: string;

  constructor(apiVersion: string, kind: string, cause: ProtobufError) {
    super(cause.message, { cause });
    this.apiVersion = apiVersion;
    this.kind = kind;
  }
}

export const varintWire = 0;
export const fixed64Wire = 1;
export const lengthDelimitedWire = 2;
const startGroupWire = 3;
const endGroupWire = 4;
const fixed32Wire = 5;

const maxVarintBytes = 10;
const maxInt32 = 2 ** 31 - 1;

/** Up to this length, decoding byte by byte is faster than a call of Buffer.toString. */
const maxShortTextBytes = 24;

interface Tag {
  readonly number: number;
  readonly wireType: number;
}

/** Reads the parts of a message, and never beyond its end. */
export class ProtoReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.byteLength) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** `message` is the name of the message, for errors. */
  tag(message: string): Tag {
    const value = this.unsigned();
    const isShort = typeof value === 'number' && value <= maxInt32;
    const number = isShort ? value >>> 3 : Number(BigInt.asIntN(32, BigInt(value) >> 3n));
    const wireType = isShort ? value & 7 : Number(BigInt(value) & 7n);
    if (wireType === endGroupWire) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (number <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${value})`);
    return { number, wireType };
  }

  /** A number if it is exact, else a bigint. Unsigned, 64 bits at most. */
  unsigned(): number | bigint {
    let value = 0;
    let scale = 1;
    for (let count = 1; count <= 7; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    return this.#longUnsigned(BigInt(value));
  }

  int64(): number | bigint {
    const value = this.unsigned();
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  int32(): number {
    const value = this.unsigned();
    return typeof value === 'number' && value <= maxInt32 ? value : Number(BigInt.asIntN(32, BigInt(value)));
  }

  bool(): boolean {
    return this.unsigned() !== 0;
  }

  double(): number {
    this.#need(8);
    const value = this.#bytes.readDoubleLE(this.#at);
    this.#at += 8;
    return value;
  }

  text(): string {
    const [start, end] = this.#span();
    if (end - start > maxShortTextBytes) return this.#bytes.toString('utf8', start, end);
    let text = '';
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at] ?? 0;
      if (byte > 0x7f) return this.#bytes.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  bytes(): Buffer {
    const [start, end] = this.#span();
    return this.#bytes.subarray(start, end);
  }

  /** Returns a reader for the nested message that follows. */
  message(): ProtoReader {
    const [start, end] = this.#span();
    return new ProtoReader(this.#bytes, start, end);
  }

  /** Skips an unknown field. */
  skip(wireType: number): void {
    switch (wireType) {
      case varintWire:
        this.unsigned();
        break;
      case fixed64Wire:
        this.#pass(8);
        break;
      case lengthDelimitedWire:
        this.#span();
        break;
      case startGroupWire:
        this.#skipGroup();
        break;
      case fixed32Wire:
        this.#pass(4);
        break;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  /** Groups nest. A counter replaces recursion, because the sender decides how deep. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      const wireType = Number(BigInt(this.unsigned()) & 7n);
      if (wireType === startGroupWire) depth += 1;
      else if (wireType === endGroupWire) depth -= 1;
      else this.skip(wireType);
    }
  }

  #longUnsigned(low: bigint): number | bigint {
    let value = low;
    for (let count = 8; count <= maxVarintBytes; count++) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << BigInt(7 * (count - 1));
      if (byte < 0x80) return exact(BigInt.asUintN(64, value));
    }
    throw new ProtobufError('proto: integer overflow');
  }

  #span(): [start: number, end: number] {
    const length = this.unsigned();
    if (typeof length === 'bigint') {
      throw new ProtobufError(
        length >= 2n ** 63n ? 'proto: negative length found during unmarshaling' : 'unexpected EOF',
      );
    }
    this.#need(length);
    const start = this.#at;
    this.#at += length;
    return [start, this.#at];
  }

  #pass(count: number): void {
    this.#need(count);
    this.#at += count;
  }

  #byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (byte === undefined) throw new ProtobufError('unexpected EOF');
    this.#at += 1;
    return byte;
  }

  #need(count: number): void {
    if (count > this.#end - this.#at) throw new ProtobufError('unexpected EOF');
  }
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
