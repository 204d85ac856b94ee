import { ApiError } from '@flotilla/kube';
import { StoreConflict, StoreUnavailable } from '../store/store.ts';
import type { SerializedError } from './thread-messages.ts';

/** Structured cloning loses the class of an error, on which callers depend. */
export function serializeError(error: unknown): SerializedError {
  if (error instanceof ApiError) return { kind: 'api', status: error.status };
  if (error instanceof StoreConflict) return { kind: 'conflict', key: error.key, actual: error.actual };
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message: error.message };
  const fault = error instanceof Error ? error : new Error(String(error));
  return { kind: 'fault', message: fault.message, stack: fault.stack ?? '' };
}

export function deserializeError(sent: SerializedError): Error {
  switch (sent.kind) {
    case 'api':
      return new ApiError(sent.status);
    case 'conflict':
      return new StoreConflict(sent.key, sent.actual);
    case 'unavailable':
      return new StoreUnavailable(sent.message);
    case 'fault': {
      const fault = new Error(sent.message);
      fault.stack = sent.stack;
      return fault;
    }
  }
}
