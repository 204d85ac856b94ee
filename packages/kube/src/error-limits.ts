/**
 * Limits the size of error responses. Kubernetes lists every error and repeats every value, so 200 KB of wrong
 * entries cause a response of 28 MB. Beyond these limits a response says how much it omits.
 */

/** Errors, conflicts or fields in one response. */
export const maxListed = 500;

/** Characters of one error: enough for any object that a person wrote. */
export const maxErrorText = 256 * 1024;

/** Characters of all errors together. */
export const maxMessage = 512 * 1024;

/** The first items, up to `maxListed`. */
export function firstListed<T>(items: readonly T[]): readonly T[] {
  return items.length > maxListed ? items.slice(0, maxListed) : items;
}

/** Limits errors that each repeat a long value further, but always to at least one. */
export function firstErrors<T extends { readonly body: string }>(errors: readonly T[]): readonly T[] {
  const first = firstListed(errors);
  let size = 0;
  const end = first.findIndex(({ body }) => (size += body.length) > maxMessage);
  return end < 0 ? first : first.slice(0, Math.max(end, 1));
}

export function andMore(count: number, what: string): string {
  return `and ${count} more ${what}`;
}

/** Says "at least", because validation may stop early. */
export function andMoreErrors(count: number): string {
  return `and at least ${count} more errors`;
}

/** Cuts a text and says how many characters are missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Never cuts between the halves of a surrogate pair.
  const end = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800 ? limit - 1 : limit;
  return `${text.slice(0, end)}... (${andMore(text.length - end, 'characters')})`;
}
