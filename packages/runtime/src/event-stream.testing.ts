/** The body of a watch that a test writes. */
export class TestEventStream implements AsyncIterable<Uint8Array> {
  readonly #lines: Uint8Array[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake = (): void => {};

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', () => this.end(signal.reason as Error), { once: true });
  }

  push(event: unknown): void {
    this.#lines.push(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
    this.#wake();
  }

  /** With an error: the connection is lost, and unread data with it. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    if (error !== undefined) this.#lines.length = 0;
    this.#end = error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#end?.error !== undefined) throw this.#end.error;
      else if (this.#end !== undefined) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
