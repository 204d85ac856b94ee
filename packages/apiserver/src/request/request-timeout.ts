import { apiErrors, errorMessage, parseGoDuration } from '@flotilla/kube';
import type { Query } from './query.ts';

/** No request but a watch may take longer: kube-apiserver's own limit. */
const longestMs = 60_000;

/** How long the client would wait; what is no duration is a mistake worth telling. */
export function requestTimeoutMs(query: Query): number {
  const timeout = query.get('timeout');
  if (!timeout) return longestMs;
  const asked = Number(nanosecondsIn(timeout)) / 1e6;
  return asked > 0 ? Math.min(asked, longestMs) : longestMs;
}

function nanosecondsIn(timeout: string): bigint {
  try {
    return parseGoDuration(timeout);
  } catch (error) {
    const why = errorMessage(error);
    throw apiErrors.badRequest(`invalid timeout specified in the request URL - ${why}`);
  }
}

/** Work that must be done in time: a client that stops in the middle of its body holds nothing up for ever. */
export function within<T>(
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
