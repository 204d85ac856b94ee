import { pause, type Clock } from '@flotilla/timing';
import { retryAfterOf } from './answered-error.ts';
import { ConnectionError } from './connection-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** In [0, 1): spreads clients that were all sent away at the same moment. */
  readonly random: () => number;
}

/** client-go's number. */
const maxRetries = 10;

/** A server that asks for more than this is not waited for: whoever asked can do something better. */
const maxWaitSeconds = 60;

/** A connection that was cut is made anew a second later, as client-go does. */
const cutWaitSeconds = 1;

/** A wait is up to this part longer than the server asked for. */
const jitter = 0.1;

/** Sends again what the server sent away for a while, and reads that were cut, until there is an answer to show. */
export async function sendPatiently(
  transport: Transport,
  request: TransportRequest,
  { clock, random }: RetryOptions,
): Promise<TransportResponse> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await outcomeOf(transport, request);
    const waitSeconds = attempt < maxRetries ? waitAfter(outcome, request) : undefined;
    if (waitSeconds === undefined) {
      if ('error' in outcome) throw outcome.error;
      return outcome;
    }
    if ('body' in outcome) await discard(outcome);
    await pause(clock, waitSeconds * 1000 * (1 + jitter * random()), request.signal);
    request.signal?.throwIfAborted();
  }
}

type Outcome = TransportResponse | { readonly error: unknown };

function outcomeOf(transport: Transport, request: TransportRequest): Promise<Outcome> {
  return transport.send(request).catch((error: unknown) => ({ error }));
}

/** Undefined: this outcome is the last. */
function waitAfter(outcome: Outcome, request: TransportRequest): number | undefined {
  if ('status' in outcome) return askedWait(outcome, request);
  const { error } = outcome;
  const wasCut = error instanceof ConnectionError && error.reached === 'cut';
  return wasCut && changesNothing(request) ? cutWaitSeconds : undefined;
}

/**
 * How long the server asks to wait; undefined when it does not, or for too long. 429 and 503 say that nothing was done. Any
 * other failure may come after the deed.
 */
function askedWait(response: TransportResponse, request: TransportRequest): number | undefined {
  const { status } = response;
  const saysNothingWasDone = status === 429 || status === 503;
  if (!saysNothingWasDone && !(status >= 500 && changesNothing(request))) return undefined;
  const seconds = retryAfterOf(response);
  return seconds === undefined || seconds > maxWaitSeconds ? undefined : seconds;
}

function changesNothing({ method }: TransportRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** An answer that nobody reads must not hold its stream. */
async function discard({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
