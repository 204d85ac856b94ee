/**
 * How far a request got that has no answer. `unreachable`: there was no connection. `refused`: the server said that it did not
 * begin with it, so anything may be sent again. `cut`: nobody knows; only what changes nothing may be sent again.
 */
export type Reached = 'unreachable' | 'refused' | 'cut';

/** There is no answer, or none that can be understood. What a server answers is never one of these. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
  readonly reached: Reached;

  constructor(message: string, reached: Reached, options?: ErrorOptions) {
    super(message, options);
    this.reached = reached;
  }
}

/** `connect ECONNREFUSED 127.0.0.1:6443`, also out of the several attempts that one name may have cost. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return sentenceOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
