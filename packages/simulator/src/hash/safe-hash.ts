/** Without vowels, so that hashes contain no words, as in Kubernetes. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a of 32 bits. `seed` is the hash of the bytes before. */
export function fnv32a(bytes: Uint8Array, seed = fnvOffset): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, fnvPrime);
  return hash >>> 0;
}

/** A number as Kubernetes writes hashes in names and labels: each decimal digit is replaced by a letter. */
export function safeDigits(hash: number): string {
  let text = '';
  for (const digit of String(hash)) text += letters[digit.charCodeAt(0) % letters.length] ?? '';
  return text;
}
