/** Adds to a list. Spreading into `push` puts each item on the stack, which a list from a user can overflow. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}
