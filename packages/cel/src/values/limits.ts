/**
 * Sizes beyond which nothing is built, whatever the budget. What is larger could not be read within any cost limit of
 * Kubernetes, so it ends with the sentence that reading it would.
 */
import { CelError } from '../value.ts';

export const costExceeded: CelError = new CelError('operation cancelled: actual cost limit exceeded');

/** In UTF-16 units. */
export const MAX_STRING_LENGTH = 2 ** 24;

export const MAX_LIST_SIZE = 2 ** 21;
