import type { Client } from '@flotilla/client';
import { ApiError, errorMessage } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { within } from '../properties/deadline.ts';

/** A server that takes longer to say that it is ready is not. */
const milliseconds = 10_000;

/** Asks a member's API server whether it is ready; undefined, or a sentence that says why not. */
export async function probeHealth(member: Client, clock: Clock, signal: AbortSignal): Promise<string | undefined> {
  const ending = new AbortController();
  const request = { method: 'GET', path: '/readyz', signal: AbortSignal.any([signal, ending.signal]) };
  const probe = member
    .request(request)
    .then(({ status }) => (status === 200 ? undefined : `health probe failed with status code ${status}`), problemOf);
  const answer = await within({ milliseconds, clock, signal }, probe);
  if (answer !== 'timed-out') return answer;
  ending.abort();
  return 'health probe failed with status code 0: there is no answer';
}

function problemOf(error: unknown): string {
  if (error instanceof ApiError) return `health probe failed with status code ${error.code}`;
  return `health probe failed with status code 0: ${errorMessage(error)}`;
}
