/** Random numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}
