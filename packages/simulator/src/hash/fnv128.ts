/** FNV-1a of 128 bits, in four numbers of 32 bits: bigints would take ten times as long. */

const offset = [0x6295c58d, 0x62b82175, 0x07bb0142, 0x6c62272e] as const;

/** The prime is 2^88 + 315. */
const primeRest = 315;

/** In hexadecimal, so that texts compare as Go compares the bytes. */
export function fnv128a(bytes: Uint8Array): string {
  let [a, b, c, d]: [number, number, number, number] = [...offset];
  for (const byte of bytes) {
    const low = (a ^ byte) >>> 0;
    const nextA = low * primeRest;
    const nextB = b * primeRest + carryOf(nextA);
    const nextC = c * primeRest + ((low << 24) >>> 0) + carryOf(nextB);
    d = (d * primeRest + (low >>> 8) + ((b << 24) >>> 0) + carryOf(nextC)) >>> 0;
    a = nextA >>> 0;
    b = nextB >>> 0;
    c = nextC >>> 0;
  }
  return [d, c, b, a].map((part) => part.toString(16).padStart(8, '0')).join('');
}

function carryOf(sum: number): number {
  return (sum / 2 ** 32) >>> 0;
}
