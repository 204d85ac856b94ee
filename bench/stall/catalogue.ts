import { heavyRequests, heavySetup, type HeavyRequest, type Step } from '../heavy-requests.ts';
import { heavyReads, readSetup } from './heavy-reads.ts';

/** Everything that is played, in this order. */
export const catalogue: readonly HeavyRequest[] = [...heavyRequests, ...heavyReads];

/** Sent before all others, while nothing is measured. */
export async function setup(): Promise<Step[]> {
  return [...(await heavySetup()), ...readSetup];
}
