export const maxPayloadBytes = 1024 * 1024;

/** Whether texts and base64 take more bytes than the limit. */
export function exceedsLimit(limit: number, texts: StringMap | undefined, base64: StringMap | undefined): boolean {
  // A UTF-16 unit takes at most three bytes, so most objects are known to be small without encoding their text.
  if ((sumOf(texts, lengthOf) + sumOf(base64, lengthOf)) * 3 <= limit) return false;
  return sumOf(texts, textBytes) + sumOf(base64, base64Bytes) > limit;
}

function sumOf(values: StringMap | undefined, sizeOf: (value: string) => number): number {
  let total = 0;
  for (const key in values) total += sizeOf(values[key] ?? '');
  return total;
}

const lengthOf = (value: string): number => value.length;
const textBytes = (value: string): number => Buffer.byteLength(value);
const base64Bytes = (value: string): number => Buffer.byteLength(value, 'base64');

export type StringMap = Readonly<Record<string, string>>;

/** Same keys with the same values. An absent map equals an empty one. */
export function sameStrings(a: StringMap = {}, b: StringMap = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
