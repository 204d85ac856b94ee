import type { Correlation } from '../value/correlation.ts';

/**
 * Whether failures at a place may be let through because nothing changed there. Where a value has no counterpart in the old
 * object, that depends on the nearest one around it that has.
 */
export interface Ratchet {
  readonly here: Correlation | undefined;
  readonly around: Correlation | undefined;
}

export const noRatchet: Ratchet = { here: undefined, around: undefined };

export function isUnchanged({ here, around }: Ratchet): boolean {
  return (here ?? around)?.isUnchanged === true;
}

export function ratchetAtKey(ratchet: Ratchet, key: string): Ratchet {
  const { here, around } = ratchet;
  if (here === undefined) return ratchet;
  // The version of the object was converted, so that nobody can tell whether it changed.
  if (around === undefined && (key === 'apiVersion' || key === 'kind')) return noRatchet;
  return { here: here.key(key), around: here };
}

export function ratchetAtIndex(ratchet: Ratchet, index: number): Ratchet {
  const { here } = ratchet;
  return here === undefined ? ratchet : { here: here.index(index), around: here };
}
