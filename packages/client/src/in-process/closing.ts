/** The end of a client. Every request listens for it, and listeners of an AbortSignal cost as much as a small request. */
export class Closing {
  readonly #listeners = new Set<() => void>();
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

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  delete(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  close(error: Error): void {
    if (this.#error) return;
    this.#error = error;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
