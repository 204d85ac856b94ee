/**
 * Failures differ in who can do something about them. That decides what the runtime does next, so each class answers one
 * question: who must act?
 *
 *   UserError        the user       told in status by the controller; the runtime waits for a change
 *   NotYet           nobody         come back soon: this is how a busy system looks
 *   TransientError   time           back off and try again; so do ApiErrors and cut connections,
 *                                   but a lost race is only a reason to look again
 *   InvariantError   a developer    back off, count it, keep the stack
 *
 * Constructors never log: the runtime logs each failure once, where it is handled.
 */
import { ConnectionError } from '@flotilla/client';
import { ApiError, isAlreadyExists, isConflict, isNotFound } from '@flotilla/kube';

export class UserError extends Error {
  override readonly name = 'UserError';
  /** CamelCase, for a condition: `InvalidOverridePath`. */
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export class NotYet extends Error {
  override readonly name = 'NotYet';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** What our work depends on does not do its part at the moment. */
export class TransientError extends Error {
  override readonly name: string = 'TransientError';
}

/** Something that our own code promised is not so. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export type Disposition =
  | { readonly kind: 'wait-for-change'; readonly reason: string }
  | { readonly kind: 'come-back'; readonly afterMs: number }
  | { readonly kind: 'look-again' }
  | { readonly kind: 'back-off' }
  | { readonly kind: 'back-off-and-alert' };

/** The one place that decides what a failure means. */
export function dispositionOf(error: unknown): Disposition {
  if (error instanceof UserError) return { kind: 'wait-for-change', reason: error.reason };
  if (error instanceof NotYet) return { kind: 'come-back', afterMs: error.retryAfterMs };
  if (isLostRace(error)) return { kind: 'look-again' };
  if (error instanceof ApiError) return dispositionOfAnswer(error);
  if (error instanceof ConnectionError || error instanceof TransientError) return { kind: 'back-off' };
  return { kind: 'back-off-and-alert' };
}

function dispositionOfAnswer({ code }: ApiError): Disposition {
  if (code === 429 || code >= 500) return { kind: 'back-off' };
  // We sent something wrong.
  return { kind: 'back-off-and-alert' };
}

/** Somebody was faster: what was decided from is not so any more. */
function isLostRace(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error);
}
