/** How a source goes on after its list or its watch failed. */
import { ApiError, isExpired, isNotFound } from '@flotilla/kube';
import { exponentialDelay } from '../queue/exponential-backoff.ts';

/** The server is not where we left it: what it tells now is older than what we know. */
export class RevisionLost extends Error {
  override readonly name = 'RevisionLost';

  constructor() {
    super('the server went back to an earlier revision');
  }
}

/**
 * A revision that the server does not know, any more or yet, means to list again. After anything else the watch goes on
 * where it was, once the server has shown that it remembers.
 */
export function whatToDoAfter(error: unknown): 'list' | 'check' {
  if (error instanceof RevisionLost) return 'list';
  if (isExpired(error) || isNotFound(error)) return 'list';
  if (!(error instanceof ApiError)) return 'check';
  const isAhead = error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
  return isAhead ? 'list' : 'check';
}

/** A server that is older than lists in watches, or was told not to offer them, calls the request wrong. */
export function isStreamRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

const backoff = { firstMs: 100, maxMs: 30_000 };

/** A server that asks for more patience is asked again after this: it may mean a year. */
const maxAskedMs = 60_000;

/** Half of it to one and a half, so that those who were cut off together do not come back together. */
export function retryDelay(error: unknown, failures: number, random: () => number): number {
  const askedMs = error instanceof ApiError ? Math.min(error.retryAfterSeconds * 1000, maxAskedMs) : 0;
  return Math.max(askedMs, exponentialDelay(failures, backoff) * (0.5 + random()));
}
