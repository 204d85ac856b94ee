/**
 * The class of a failure names the party that must act, which decides what the runtime does next.
 *
 *   UserError        the user       the controller sets a condition; the runtime waits for a change
 *   NotYet           no one         requeue after the given time
 *   TransientError   no one         back off and retry, as after ApiErrors and lost connections;
 *                                   a lost race is requeued without an error
 *   InvariantError   a developer    back off, count it, log the stack
 *
 * Constructors never log: the runtime logs each failure once, where it handles it.
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

/** Something that the reconcile depends on is not available at the moment. */
export class TransientError extends Error {
  override readonly name: string = 'TransientError';
}

/** An assumption of our own code does not hold. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export type Disposition =
  | { readonly kind: 'await-change'; readonly reason: string }
  | { readonly kind: 'requeue-after'; readonly afterMs: number }
  | { readonly kind: 'requeue' }
  | { readonly kind: 'back-off' }
  | { readonly kind: 'back-off-and-alert' };

/** How to go on after a failure. */
export function dispositionOf(error: unknown): Disposition {
  if (error instanceof UserError) return { kind: 'await-change', reason: error.reason };
  if (error instanceof NotYet) return { kind: 'requeue-after', afterMs: error.retryAfterMs };
  if (isLostRace(error)) return { kind: 'requeue' };
  if (error instanceof ApiError) return dispositionOfAnswer(error);
  if (error instanceof ConnectionError || error instanceof TransientError) return { kind: 'back-off' };
  return { kind: 'back-off-and-alert' };
}

function dispositionOfAnswer({ code }: ApiError): Disposition {
  if (code === 429 || code >= 500) return { kind: 'back-off' };
  // The request was wrong, which is a mistake of ours.
  return { kind: 'back-off-and-alert' };
}

/** Another client was faster: the observed state is outdated. */
function isLostRace(error: unknown): boolean {
  return isConflict(error) || isAlreadyExists(error) || isNotFound(error) || isInTerminatingNamespace(error);
}

/** The objects of a namespace are deleted one after another, so a controller may miss one while its owner still exists. */
function isInTerminatingNamespace(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
