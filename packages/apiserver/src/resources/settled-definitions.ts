import type { Entry } from '../store/store.ts';

/**
 * Definitions whose status says all that follows from themselves. Their schemas need no further check, only their names are compared
 * with those of others.
 */
const settled = new WeakSet<Entry>();

export function isSettled(entry: Entry): boolean {
  return settled.has(entry);
}

/** For definitions that this server, or one of the same release, has reconciled. */
export function markSettled(entry: Entry): void {
  settled.add(entry);
}
