import { ConnectionError, KubeconfigError } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { UserError } from './user-error.ts';

/** Turns errors of a kubeconfig, of the connection and of the API server into UserErrors. */
export function explainAccessError(error: unknown): unknown {
  const isUserError = error instanceof KubeconfigError || error instanceof ConnectionError || error instanceof ApiError;
  return isUserError ? new UserError(`${error.message}${remedyFor(error.message)}.`, { cause: error }) : error;
}

function remedyFor(message: string): string {
  if (!message.endsWith('certificate is not yet valid')) return '';
  return '; the clock of this machine is behind, or that of the server was ahead at its first start';
}
