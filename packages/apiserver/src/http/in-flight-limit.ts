import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import type { RequestInfo } from './request-info.ts';
import { textResponse } from './respond.ts';

/** How many requests may be under way at once. */
export interface InFlightLimits {
  readonly reading: number;
  readonly changing: number;
}

/** kube-apiserver's. */
export const defaultInFlightLimits: InFlightLimits = { reading: 400, changing: 200 };

/**
 * Counts requests that are under way, those that read apart from those that change. What is answered at once is never under
 * way; watches and the like would be for hours, and probes must get through whatever happens: none of these counts.
 */
export class InFlightLimit {
  readonly #reading: Counter;
  readonly #changing: Counter;

  constructor({ reading, changing }: InFlightLimits) {
    this.#reading = new Counter(reading);
    this.#changing = new Counter(changing);
  }

  /** Undefined for a request that is not counted. */
  counterOf(request: Pick<ApiRequest, 'method'>, info: RequestInfo): Counter | undefined {
    if (isUncounted(info)) return undefined;
    return isReading(request, info) ? this.#reading : this.#changing;
  }
}

class Counter {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  isFull(): boolean {
    return this.#count >= this.#limit;
  }

  /** Counts until there is an answer. */
  hold(answer: Promise<unknown>): void {
    this.#count++;
    const release = (): void => {
      this.#count--;
    };
    void answer.then(release, release);
  }
}

const longRunning = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
const probes = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

function isUncounted(info: RequestInfo): boolean {
  return info.isResource ? info.verb === 'watch' || longRunning.has(info.subresource) : probes.test(info.path);
}

function isReading({ method }: Pick<ApiRequest, 'method'>, info: RequestInfo): boolean {
  return info.isResource ? info.verb === 'get' || info.verb === 'list' : method === 'GET';
}

/** In plain text, not as a Status: it must cost next to nothing. */
export function tooManyRequests(): ApiResponse {
  const response = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': '1' } };
}
