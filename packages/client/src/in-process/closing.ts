/** A request, as a listener for the end of its client. */
export interface ClosingListener {
  /** Set by `Closing`; -1 if it does not listen. */
  position: number;
  end(): void;
}

/**
 * The end of a client. Every request listens for it, and listeners of an AbortSignal cost as much as a small request. A `Set`
 * would allocate a new table whenever its last request ends.
 */
export class Closing {
  readonly #listeners: ClosingListener[] = [];
  #error: Error | undefined;

  get isClosed(): boolean {
    return this.#error !== undefined;
  }

  get reason(): Error | undefined {
    return this.#error;
  }

  throwIfClosed(): void {
    if (this.#error) throw this.#error;
  }

  add(listener: ClosingListener): void {
    if (listener.position < 0) listener.position = this.#listeners.push(listener) - 1;
  }

  delete(listener: ClosingListener): void {
    const { position } = listener;
    if (position < 0) return;
    listener.position = -1;
    const last = this.#listeners.pop();
    if (last === undefined || last === listener) return;
    this.#listeners[position] = last;
    last.position = position;
  }

  close(error: Error): void {
    if (this.#error) return;
    this.#error = error;
    // A listener may remove others.
    for (let [listener] = this.#listeners; listener; [listener] = this.#listeners) {
      this.delete(listener);
      listener.end();
    }
  }
}
