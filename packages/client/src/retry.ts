import { pause, type Clock } from '@flotilla/timing';
import { retryAfterOf } from './response-error.ts';
import { ConnectionError } from './connection-error.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** In [0, 1). Spreads the retries of clients that were throttled at the same moment. */
  readonly random: () => number;
  /** Aborted when the client is closed. Ends waits. */
  readonly closing?: AbortSignal;
}

/** client-go's number of retries. */
const maxRetries = 10;

/** A longer Retry-After fails at once: the caller may have something better to do. */
const maxWaitSeconds = 60;

/** client-go reconnects after a second, too. */
const cutWaitSeconds = 1;

/** A wait is longer than requested by up to this share. */
const jitter = 0.1;

/** Retries while the server answers with Retry-After, and reads whose connection was cut. */
export async function sendWithRetries(
  transport: Transport,
  request: TransportRequest,
  { clock, random, closing }: RetryOptions,
): Promise<TransportResponse> {
  for (let attempt = 0; ; attempt++) {
    let outcome: Outcome;
    try {
      outcome = await transport.send(request);
    } catch (error) {
      outcome = { error };
    }
    const waitSeconds = attempt < maxRetries ? waitAfter(outcome, request) : undefined;
    if (waitSeconds === undefined) {
      if ('error' in outcome) throw outcome.error;
      return outcome;
    }
    if ('body' in outcome) await discard(outcome);
    const stopped = AbortSignal.any([request.signal, closing].filter((signal) => signal !== undefined));
    await pause(clock, waitSeconds * 1000 * (1 + jitter * random()), stopped);
    stopped.throwIfAborted();
  }
}

type Outcome = TransportResponse | { readonly error: unknown };

/** Returns undefined if the outcome is final. */
function waitAfter(outcome: Outcome, request: TransportRequest): number | undefined {
  if ('status' in outcome) return askedWait(outcome, request);
  const { error } = outcome;
  const wasCut = error instanceof ConnectionError && error.reached === 'cut';
  return wasCut && changesNothing(request) ? cutWaitSeconds : undefined;
}

/**
 * The Retry-After to honour; undefined if there is none or it is too long. 429 and 503 say that nothing was done.
 * After any other failure the write may have happened.
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

/** An unread body would keep its stream open. */
async function discard({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
