import { apiErrors, errorMessage, parseGoDuration } from '@flotilla/kube';
import type { Query } from './query.ts';

/** kube-apiserver's limit for all requests but watches. */
const maxMs = 60_000;

/** The timeout in the query, at most a minute. Throws if it is no duration. */
export function requestTimeoutMs(query: Query): number {
  const timeout = query.get('timeout');
  if (!timeout) return maxMs;
  const asked = Number(nanosecondsIn(timeout)) / 1e6;
  return asked > 0 ? Math.min(asked, maxMs) : maxMs;
}

function nanosecondsIn(timeout: string): bigint {
  try {
    return parseGoDuration(timeout);
  } catch (error) {
    const why = errorMessage(error);
    throw apiErrors.badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}

/** Rejects after the timeout: a client that stops in the middle of its body must not hold resources forever. */
export function withTimeout<T>(
  timeoutMs: number,
  after: (milliseconds: number, call: () => void) => () => void,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(timeoutMs, () =>
      reject(apiErrors.timeout('request did not complete within the allotted timeout')),
    );
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
