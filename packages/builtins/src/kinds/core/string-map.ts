export type StringMap = Readonly<Record<string, string>>;

/** Same keys with the same values; an absent map is an empty one. */
export function sameStrings(a: StringMap = {}, b: StringMap = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}
