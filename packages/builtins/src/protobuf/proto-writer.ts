import { lengthDelimitedWire } from './proto-reader.ts';

const initialBytes = 1024;

/** A position in the output, which is written backwards. */
type Mark = number;

/**
 * Writes messages backwards, from end to beginning. The length of a nested message is then known when it is needed,
 * without measuring first or copying later.
 */
export class ProtoWriter {
  #buffer = Buffer.allocUnsafe(initialBytes);
  /** Counted from the end of the buffer, so that it stays valid when the buffer grows. */
  #length = 0;

  finish(): Uint8Array {
    return this.#buffer.subarray(this.#buffer.length - this.#length);
  }

  mark(): Mark {
    return this.#length;
  }

  tag(number: number, wireType: number): void {
    this.unsigned(number * 8 + wireType);
  }

  /** Completes the nested message that begins at the mark: writes its length, then its tag. */
  endMessage(number: number, mark: Mark): void {
    this.endLength(mark);
    this.tag(number, lengthDelimitedWire);
  }

  endLength(mark: Mark): void {
    this.unsigned(this.#length - mark);
  }

  /** Whole numbers up to 2^53. */
  unsigned(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
    let at = this.#reserve(size);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#buffer[at++] = (rest % 128) + 128;
    this.#buffer[at] = rest;
  }

  /** Negative numbers take ten bytes, as in Go, for 32 bits too. */
  signed(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) this.unsigned(value);
    else this.#unsigned64(BigInt.asUintN(64, BigInt(value)));
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  /** The text with its length. */
  text(value: string): void {
    const size = Buffer.byteLength(value);
    const at = this.#reserve(size);
    this.#buffer.write(value, at, size, 'utf8');
    this.unsigned(size);
  }

  /** The bytes with their length. */
  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.byteLength);
    this.#buffer.set(value, at);
    this.unsigned(value.byteLength);
  }

  /** Bytes as they are, such as a prefix that is not a field. */
  raw(value: Uint8Array): void {
    const at = this.#reserve(value.byteLength);
    this.#buffer.set(value, at);
  }

  #unsigned64(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) + 128);
    bytes.push(Number(rest));
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** Makes room for `size` bytes before those already written, and returns the offset where it starts. */
  #reserve(size: number): number {
    const needed = this.#length + size;
    if (needed > this.#buffer.length) this.#grow(needed);
    this.#length = needed;
    return this.#buffer.length - needed;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.finish(), larger.length - this.#length);
    this.#buffer = larger;
  }
}
