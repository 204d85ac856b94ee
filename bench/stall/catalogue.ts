import { heavyReads, readSetup } from './heavy-reads.ts';
import type { HeavyRequest, Step } from './heavy-request.ts';

/** Everything that is played, in this order. */
export const catalogue: readonly HeavyRequest[] = [...heavyReads];

/** Sent before all others, while nothing is measured. */
export function setup(): Promise<Step[]> {
  return Promise.resolve([...readSetup]);
}
