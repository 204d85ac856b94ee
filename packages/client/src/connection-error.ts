import { errorMessage } from '@flotilla/kube';
/**
 * How far a request without a response got. `unreachable`: there was no connection. `refused`: the server did not
 * start on it, so any request may be retried. `cut`: unknown, so only reads may be retried.
 */
export type Reached = 'unreachable' | 'refused' | 'cut';

/** There is no response, or none that can be parsed. An error response is an ApiError instead. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  readonly reached: Reached;

  constructor(message: string, reached: Reached, options?: ErrorOptions) {
    super(message, options);
    this.reached = reached;
  }
}

/** `connect ECONNREFUSED 127.0.0.1:6443`. A name with several addresses fails with an AggregateError. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return errorMessage(error);
}
