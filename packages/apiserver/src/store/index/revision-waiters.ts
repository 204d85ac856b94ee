/** Promises for revisions that are not visible yet. */
export class RevisionWaiters {
  readonly #waiters = new Set<{ readonly revision: number; readonly reach: () => void }>();

  async wait(revision: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const waiter = {
        revision,
        reach: () => {
          signal.removeEventListener('abort', abort);
          resolve();
        },
      };
      const abort = () => {
        this.#waiters.delete(waiter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  advanceTo(visibleRevision: number): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > visibleRevision) continue;
      this.#waiters.delete(waiter);
      waiter.reach();
    }
  }
}
