/**
 * Bytes of answers that were made and wait for their readers. A process keeps so many; what is beyond is dropped and made
 * again when its reader takes more. So readers that stall cost a bounded amount of memory, however many they are.
 */
const limit = 64 * 1024 * 1024;

let total = 0;

/** False when there is no room: the caller must not keep the bytes. */
export function hold(bytes: number): boolean {
  if (total + bytes > limit) return false;
  total += bytes;
  return true;
}

export function release(bytes: number): void {
  total -= bytes;
}

export function heldBytes(): number {
  return total;
}
