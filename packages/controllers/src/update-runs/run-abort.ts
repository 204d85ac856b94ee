/** Why a run cannot go on. Its sentences are KubeFleet's: tools look for them in conditions. */

/** Ends a run for good. */
export class RunAbort extends Error {
  override readonly name = 'RunAbort';
}

/**
 * An abort is for good, so it waits this long for objects that are about to appear: those that a user creates together with the
 * run, and the decision of the scheduler about a new policy.
 */
export const patienceMs = 2_000;

const cannotContinue = 'cannot continue the updateRun';

/** The run never fitted its placement, or no longer does. */
export function invalidRun(detail: string): RunAbort {
  return new RunAbort(`${cannotContinue}: failed to validate the updateRun: ${detail}`);
}

export function abortedRun(detail: string): RunAbort {
  return new RunAbort(`${cannotContinue}: ${detail}`);
}

/** The metrics of failed runs look for these words. */
export const userErrorText = 'failed to process the request due to a client error';

export function userError(detail: string): string {
  return `${userErrorText}: ${detail}`;
}

export function unexpected(detail: string): string {
  return `unexpected behavior which cannot be handled by the controller: ${detail}`;
}
