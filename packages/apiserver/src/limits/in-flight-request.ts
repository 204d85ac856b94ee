import type { BodyMeter } from '@flotilla/kube';

/** A change from its first byte to its response. It takes memory while its body arrives, and seats once the body is complete. */
export interface InFlightRequest extends BodyMeter {
  /** Called before the body is read: even one that never arrives takes memory. Throws TooManyRequests, as do the others. */
  wait(): void;
  /**
   * Called when the body is complete. Returns undefined if the request may execute, else a promise for when it may. Without
   * `bodyBytes` it needs no time of this thread.
   */
  begin(bodyBytes: number | undefined): Promise<void> | undefined;
}
