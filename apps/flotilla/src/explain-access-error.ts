import { ConnectionError, KubeconfigError } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { UserFault } from './user-error.ts';

/** What is wrong with a kubeconfig, the server that it names, or what one may do there becomes a sentence. */
export function explainedAccess(error: unknown): unknown {
  const isTheirs = error instanceof KubeconfigError || error instanceof ConnectionError || error instanceof ApiError;
  return isTheirs ? new UserFault(`${error.message}.`, { cause: error }) : error;
}
