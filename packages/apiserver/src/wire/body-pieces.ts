/** A piece of so many bytes is kept as it came: it costs little more than its bytes. */
const largeBytes = 4096;
const roomBytes = 16 * 1024;

/**
 * A body on its way. Each buffer costs some hundred bytes beside its content, so small pieces are copied together: a client that
 * sends 3 MiB byte by byte would else take more than a gigabyte.
 */
export class BodyPieces {
  readonly #buffers: Uint8Array[] = [];
  /** The last buffer, where it was made here and has room. */
  #room: Uint8Array | undefined;
  #used = 0;

  /** Buffers that are kept. */
  get count(): number {
    return this.#buffers.length;
  }

  add(piece: Uint8Array): void {
    // Most bodies come in one piece, which is not copied.
    if (this.#buffers.length === 0 || piece.length >= largeBytes) {
      this.#closeRoom();
      this.#buffers.push(piece);
      return;
    }
    if (this.#room !== undefined && this.#used + piece.length > this.#room.length) this.#closeRoom();
    if (this.#room === undefined) this.#buffers.push((this.#room = Buffer.allocUnsafeSlow(roomBytes)));
    this.#room.set(piece, this.#used);
    this.#used += piece.length;
  }

  whole(): Uint8Array {
    this.#closeRoom();
    const [first] = this.#buffers;
    return this.#buffers.length === 1 && first ? first : Buffer.concat(this.#buffers);
  }

  clear(): void {
    this.#buffers.length = 0;
    this.#room = undefined;
  }

  #closeRoom(): void {
    if (this.#room === undefined) return;
    this.#buffers[this.#buffers.length - 1] = this.#room.subarray(0, this.#used);
    this.#room = undefined;
    this.#used = 0;
  }
}
