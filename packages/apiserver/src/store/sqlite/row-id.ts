/** A row id combines store number and revision: a store's log is one range, and a revision is found by id. */
const revisionBits = 42;

/** Revisions stay below this: more than a century at a thousand writes a second. */
export const revisionLimit = 2 ** revisionBits;
/** Ids must be safe integers. */
export const storeLimit = 2 ** (53 - revisionBits);

export function rowId(store: number, revision: number): number {
  return store * revisionLimit + revision;
}

export function storeOf(id: number): number {
  return Math.floor(id / revisionLimit);
}

export function revisionOf(id: number): number {
  return id % revisionLimit;
}
