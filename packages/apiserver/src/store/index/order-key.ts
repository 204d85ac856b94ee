import type { Key } from '../store.ts';

/**
 * The key's position in a store's index: sorted by collection, then by the UTF-8 bytes of the name, which is the order of
 * Kubernetes' lists.
 */
export function orderKey(key: Key): string {
  return `${key.collection}\0${inByteOrder(key.name)}`;
}

/** Bounds of all names in a collection that start with `prefix`, from `start` on: `low <= key < high`. */
export function orderRange(
  collection: string,
  prefix: string,
  start = '',
): { readonly low: string; readonly high: string } {
  const all = `${collection}\0${inByteOrder(prefix)}`;
  const from = `${collection}\0${inByteOrder(start)}`;
  return { low: from > all ? from : all, high: firstAfter(all) };
}

/**
 * JavaScript compares UTF-16 units, where the surrogates of U+10000 and above sort below U+E000. Moving them behind gives a
 * string whose units compare like UTF-8 bytes. Almost every name is ASCII and stays as it is.
 */
function inByteOrder(name: string): string {
  // The /v flag would join surrogate pairs; this matches them one by one.
  if (!/[\ud800-\uffff]/.test(name)) return name;
  let moved = '';
  for (let index = 0; index < name.length; index++) {
    const unit = name.charCodeAt(index);
    const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
    moved += String.fromCharCode(isSurrogate ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit);
  }
  return moved;
}

/** The smallest string above everything that starts with `prefix`. */
function firstAfter(prefix: string): string {
  let length = prefix.length;
  while (prefix.charCodeAt(length - 1) === 0xffff) length--;
  return prefix.slice(0, length - 1) + String.fromCharCode(prefix.charCodeAt(length - 1) + 1);
}
