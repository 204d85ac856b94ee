/** Adds to a list. Spreading into `push` would put each item on the stack, which lists from users can overflow. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}
