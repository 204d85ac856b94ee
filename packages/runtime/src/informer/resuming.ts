/** How a source continues after its list or its watch failed. */
import { ApiError, isExpired, isNotFound } from '@flotilla/kube';
import { exponentialDelay } from '../queue/exponential-backoff.ts';

/** The server is at an older revision than before: it lost data. */
export class RevisionLost extends Error {
  override readonly name = 'RevisionLost';

  constructor() {
    super('the server went back to an earlier revision');
  }
}

/**
 * An unknown revision, expired or in the future, requires a new list. After any other error the watch resumes, once a check
 * has shown that the server did not go back.
 */
export function nextAfter(error: unknown): 'list' | 'check' {
  if (error instanceof RevisionLost) return 'list';
  if (isExpired(error) || isNotFound(error)) return 'list';
  if (!(error instanceof ApiError)) return 'check';
  const isAhead = error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
  return isAhead ? 'list' : 'check';
}

/** A server without streaming lists refuses the request as invalid. */
export function isStreamRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 400 || error.code === 422);
}

const backoff = { firstMs: 100, maxMs: 30_000 };

/** Limit for Retry-After, which may say a year. */
const maxRetryAfterMs = 60_000;

/** With a jitter of 50 %, so that clients that lost their connection together do not reconnect together. */
export function retryDelay(error: unknown, failures: number, random: () => number): number {
  const retryAfterMs = error instanceof ApiError ? Math.min(error.retryAfterSeconds * 1000, maxRetryAfterMs) : 0;
  return Math.max(retryAfterMs, exponentialDelay(failures, backoff) * (0.5 + random()));
}
