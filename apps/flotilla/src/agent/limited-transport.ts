import type { Transport } from '@flotilla/client';
import { TokenBucket } from '@flotilla/runtime';
import { pause, type Clock } from '@flotilla/timing';
import type { RequestLimits } from './agent-settings.ts';

/** Sends no more than so many requests; the others wait for their turn. */
export function limitedTransport(transport: Transport, { perSecond, burst }: RequestLimits, clock: Clock): Transport {
  const bucket = new TokenBucket(perSecond, burst, clock.now());
  return {
    ...transport,
    send: async (request) => {
      const waitMs = bucket.reserve(clock.now());
      if (waitMs > 0) await pause(clock, waitMs, request.signal);
      request.signal?.throwIfAborted();
      return transport.send(request);
    },
  };
}
