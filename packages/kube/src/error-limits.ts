/**
 * How long a refusal may be. Kubernetes lists every error and repeats every value, so that 200 KB of wrong entries are answered with
 * 28 MB. No reader gets that far: beyond these sizes the answer says how much it leaves out.
 */

/** Errors, conflicts or fields that one refusal lists. */
export const maxListed = 500;

/** Characters of one error: enough for any object that a person wrote. */
export const maxSentence = 256 * 1024;

/** Characters of all errors together. */
export const maxMessage = 512 * 1024;

/** The first of a list. */
export function listable<T>(items: readonly T[]): readonly T[] {
  return items.length > maxListed ? items.slice(0, maxListed) : items;
}

/** Of errors that each repeat a long value there is room for fewer, but always for one. */
export function listableErrors<T extends { readonly body: string }>(errors: readonly T[]): readonly T[] {
  const first = listable(errors);
  let size = 0;
  const end = first.findIndex(({ body }) => (size += body.length) > maxMessage);
  return end < 0 ? first : first.slice(0, Math.max(end, 1));
}

export function andMore(count: number, what: string): string {
  return `and ${count} more ${what}`;
}

/** Not everything looks for errors to the end. */
export function andMoreErrors(count: number): string {
  return `and at least ${count} more errors`;
}

/** The beginning of a text that is too long, and what is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Not between the halves of a character.
  const end = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800 ? limit - 1 : limit;
  return `${text.slice(0, end)}... (${andMore(text.length - end, 'characters')})`;
}
