/** Ends a call after its timeout, or with the request that needs it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => this.#controller.abort(new Error('context canceled'));

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#controller.abort(new Error('context deadline exceeded')), timeoutMs);
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener('abort', this.#cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Rejects with the reason of the end, whatever the connection makes of it. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) end();
      else this.signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}
