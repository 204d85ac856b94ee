/** The size limit that ConfigMaps and Secrets share. */
import type { StringMap } from './string-map.ts';

export const maxPayloadBytes = 1024 * 1024;

/** How many bytes one stored value stands for. */
type ValueBytes = (value: string) => number;

export const textBytes: ValueBytes = (value) => Buffer.byteLength(value);
export const base64Bytes: ValueBytes = (value) => Buffer.byteLength(value, 'base64');

/** Whether the values of the maps together take more bytes than the limit. */
export function isBeyond(
  limit: number,
  ...parts: readonly (readonly [values: StringMap | undefined, bytes: ValueBytes])[]
): boolean {
  // A UTF-16 unit takes at most three bytes, so that most objects are known to be small without looking at their text.
  let units = 0;
  for (const [values] of parts) for (const key in values) units += values[key]?.length ?? 0;
  if (units * 3 <= limit) return false;

  let total = 0;
  for (const [values, bytes] of parts) for (const key in values) total += bytes(values[key] ?? '');
  return total > limit;
}
