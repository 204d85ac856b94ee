import type { ApiResponse } from '@flotilla/kube';
import { textResponse } from '../response/respond.ts';

/** The request is refused, because its flow or its caller has too many. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds = 1) {
    super('too many requests');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Plain text instead of a Status, because it must cost little. */
export function tooManyRequests({ retryAfterSeconds }: Pick<TooManyRequests, 'retryAfterSeconds'>): ApiResponse {
  const response = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } };
}
