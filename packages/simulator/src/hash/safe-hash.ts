/** Without vowels, so that hashes contain no words, as in Kubernetes. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a of 32 bits: exclusive or, then multiply. `seed` is the hash of the bytes before. */
export function fnv32a(bytes: Uint8Array, seed = fnvOffset): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime);
  return hash >>> 0;
}

/** FNV-1 of 32 bits: multiply, then exclusive or. */
export function fnv32(bytes: Uint8Array): number {
  let hash = fnvOffset;
  for (const byte of bytes) hash = Math.imul(hash, fnvPrime) ^ byte;
  return hash >>> 0;
}

/** A number as Kubernetes writes hashes in names and labels: a letter for each decimal digit. */
export function safeDigits(hash: number): string {
  let text = '';
  for (const digit of String(hash)) text += letters[digit.charCodeAt(0) % letters.length] ?? '';
  return text;
}
