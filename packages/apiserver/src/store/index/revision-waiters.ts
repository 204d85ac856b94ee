/** Those who asked for a revision that is not visible yet. */
export class RevisionWaiters {
  readonly #waiters = new Set<{ readonly revision: number; readonly arrived: () => void }>();

  async wait(revision: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiter = {
        revision,
        arrived: () => {
          signal.removeEventListener('abort', gaveUp);
          resolve();
        },
      };
      const gaveUp = () => {
        this.#waiters.delete(waiter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', gaveUp, { once: true });
      this.#waiters.add(waiter);
    });
  }

  reached(visibleRevision: number): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > visibleRevision) continue;
      this.#waiters.delete(waiter);
      waiter.arrived();
    }
  }
}
