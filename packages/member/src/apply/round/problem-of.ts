import { ConnectionError } from '@flotilla/client';
import { ApiError, errorMessage, isConflict } from '@flotilla/kube';
import { OwnershipRefusal } from '../../merge/ownership-checks.ts';

/** An error of the member as text for the message of a condition. */
export function problemOf(error: unknown): string {
  if (error instanceof OwnershipRefusal) {
    return error.conflict === undefined ? error.message : `${error.conflict}: ${error.message}`;
  }
  if (error instanceof ConnectionError) return `the member cannot be reached: ${error.message}`;
  if (error instanceof ApiError) return `the member refused the request: ${error.message}`;
  return errorMessage(error);
}

/** A server-side apply that would take fields from another manager. */
export function isFieldConflict(error: unknown): error is ApiError {
  return (
    isConflict(error) && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'FieldManagerConflict')
  );
}

/** Another client changed the object between the read and the write. */
export function isWriteConflict(error: unknown): boolean {
  return isConflict(error) && !isFieldConflict(error);
}
