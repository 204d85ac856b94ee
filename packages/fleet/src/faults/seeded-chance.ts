import { createHash } from 'node:crypto';

/** Numbers in [0, 1), the same for the same seed, so that faults can be repeated. */
export function seededChance(seed: string): () => number {
  // The first bytes of a hash are a good start for any text. The steps are those of mulberry32.
  let state = createHash('sha256').update(seed).digest().readInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
