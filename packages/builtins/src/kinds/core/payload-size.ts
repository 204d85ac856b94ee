export const maxPayloadBytes = 1024 * 1024;

type ValueBytes = (value: string) => number;

export const textBytes: ValueBytes = (value) => Buffer.byteLength(value);
export const base64Bytes: ValueBytes = (value) => Buffer.byteLength(value, 'base64');

export function exceedsLimit(
  limit: number,
  ...parts: readonly (readonly [values: StringMap | undefined, bytes: ValueBytes])[]
): boolean {
  // A UTF-16 unit takes at most three bytes, so most objects are known to be small without encoding their text.
  let units = 0;
  for (const [values] of parts) for (const key in values) units += values[key]?.length ?? 0;
  if (units * 3 <= limit) return false;

  let total = 0;
  for (const [values, bytes] of parts) for (const key in values) total += bytes(values[key] ?? '');
  return total > limit;
}

export type StringMap = Readonly<Record<string, string>>;

/** Same keys with the same values. An absent map equals an empty one. */
export function sameStrings(a: StringMap = {}, b: StringMap = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
