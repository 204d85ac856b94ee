/**
 * Says once that something has ended. Unlike those of an AbortSignal, adding and removing a listener costs the same however many
 * there are: every member of a fleet watches the same kinds of the hub.
 */
export class StopSignal {
  readonly #listeners = new Set<() => void>();
  #isStopped = false;

  get isStopped(): boolean {
    return this.#isStopped;
  }

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  remove(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Listeners may remove themselves and others. */
  stop(): void {
    this.#isStopped = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
