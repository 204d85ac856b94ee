/** Maps with sorted keys, as Go writes them, so that equal maps are equal bytes. */
import { compareBytes, setOwn } from '@flotilla/kube';

export function putSorted(map: Record<string, string>, key: string, value: string): void {
  putAllSorted(map, [[key, value]]);
}

export function putAllSorted(map: Record<string, string>, entries: readonly (readonly [string, string])[]): void {
  const all = new Map([...Object.entries(map), ...entries]);
  if (all.size === Object.keys(map).length) return entries.forEach(([key, value]) => setOwn(map, key, value));
  for (const key of Object.keys(map)) delete map[key];
  for (const [key, value] of [...all].sort(([a], [b]) => compareBytes(a, b))) setOwn(map, key, value);
}
