import type { ObjectMeta } from './object.ts';

/** The generation after a change. An int64 in Go, so it may be a bigint, and wraps around at its end. */
export function nextGeneration(metadata: Pick<ObjectMeta, 'generation'>): number {
  const generation: number | bigint = (metadata.generation as number | bigint | undefined) ?? 0;
  const next = Number(generation) + 1;
  if (Number.isSafeInteger(next)) return next;
  return BigInt.asIntN(64, BigInt(generation) + 1n) as unknown as number;
}
