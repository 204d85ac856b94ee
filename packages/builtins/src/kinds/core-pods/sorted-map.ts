/** Maps whose keys stay in order, as Go writes them, so that equal maps are equal bytes. */
import { compareBytes } from '@flotilla/kube';

/** Keys come from users: `__proto__` is one like any other. */
export function putSorted(map: Record<string, string>, key: string, value: string): void {
  const later = Object.hasOwn(map, key) ? [] : Object.keys(map).filter((other) => compareBytes(other, key) > 0);
  put(map, key, value);
  for (const other of later) {
    const moved = map[other] ?? '';
    delete map[other];
    put(map, other, moved);
  }
}

function put(map: Record<string, string>, key: string, value: string): void {
  Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
}
