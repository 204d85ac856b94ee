import { CelList, CelMap, CelOpaque, CelOptional, CelStruct, type CelValue } from '../value.ts';
import { readText } from './work.ts';

/** CEL counts characters as code points. */
export function codePoints(text: string): number {
  readText(text.length);
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    count--;
    i++;
  }
  return count;
}

/** The length that costs are reckoned by; what has none counts as 1. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return codePoints(value);
  if (hasSize(value)) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof CelOptional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}

function hasSize(value: CelValue): value is CelList | CelMap | CelStruct | CelOpaque {
  return (
    value instanceof CelList || value instanceof CelMap || value instanceof CelStruct || value instanceof CelOpaque
  );
}

/** The cost of reading so many characters, bytes or elements once. */
export function traversalCost(size: number): number {
  return Math.ceil(size * 0.1);
}

/** The unit at which a code point begins; undefined: the text has fewer. */
export function unitOf(text: string, codePoint: number): number | undefined {
  if (codePoint > text.length) return undefined;
  readText(codePoint);
  let unit = 0;
  for (let i = 0; i < codePoint; i++) {
    if (unit >= text.length) return undefined;
    unit += (text.codePointAt(unit) as number) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** How many code points there are before a unit. */
export function codePointOf(text: string, unit: number): number {
  return codePoints(text.slice(0, unit));
}
