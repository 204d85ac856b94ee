import { heavyRequests, heavySetup, type HeavyRequest, type Step } from '../heavy/heavy-requests.ts';
import { heavyReads, readSetup } from './heavy-reads.ts';

/** All requests, in this order. */
export const catalogue: readonly HeavyRequest[] = [...heavyRequests, ...heavyReads];

/** Sent first, and not measured. */
export async function setup(): Promise<Step[]> {
  return [...(await heavySetup()), ...readSetup];
}
