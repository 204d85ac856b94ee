/** Pieces of at least this size are not copied: the overhead of their buffer is small. */
const minUncopiedBytes = 4096;
const bufferBytes = 16 * 1024;

/**
 * The received pieces of a body. A buffer costs some hundred bytes beside its content, so that small pieces are copied
 * together. Otherwise a client that sends 3 MiB byte by byte would take more than a gigabyte.
 */
export class BodyPieces {
  readonly #buffers: Uint8Array[] = [];
  /** The last buffer, if it was allocated here and is not full. */
  #last: Uint8Array | undefined;
  #used = 0;

  /** The number of buffers. */
  get count(): number {
    return this.#buffers.length;
  }

  add(piece: Uint8Array): void {
    // Most bodies have one piece, which is not copied.
    if (this.#buffers.length === 0 || piece.length >= minUncopiedBytes) {
      this.#trimLast();
      this.#buffers.push(piece);
      return;
    }
    if (this.#last !== undefined && this.#used + piece.length > this.#last.length) this.#trimLast();
    if (this.#last === undefined) this.#buffers.push((this.#last = Buffer.allocUnsafeSlow(bufferBytes)));
    this.#last.set(piece, this.#used);
    this.#used += piece.length;
  }

  concat(): Uint8Array {
    this.#trimLast();
    const [first] = this.#buffers;
    return this.#buffers.length === 1 && first ? first : Buffer.concat(this.#buffers);
  }

  clear(): void {
    this.#buffers.length = 0;
    this.#last = undefined;
  }

  #trimLast(): void {
    if (this.#last === undefined) return;
    this.#buffers[this.#buffers.length - 1] = this.#last.subarray(0, this.#used);
    this.#last = undefined;
    this.#used = 0;
  }
}
