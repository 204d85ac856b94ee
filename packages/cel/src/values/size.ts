import { CelList, CelMap, CelOpaque, CelOptional, CelStruct, type CelValue } from '../value.ts';
import { countReading } from './work.ts';

/** CEL counts code points. */
export function codePoints(text: string): number {
  countReading(text.length);
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
    count--;
    i++;
  }
  return count;
}

/** The size for costs; 1 for values without a size. */
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

/** The cost of reading this many characters, bytes or elements once. */
export function traversalCost(size: number): number {
  return Math.ceil(size * 0.1);
}

/** The UTF-16 index of a code point; undefined if the text is shorter. */
export function unitOf(text: string, codePoint: number): number | undefined {
  if (codePoint > text.length) return undefined;
  countReading(codePoint);
  let unit = 0;
  for (let i = 0; i < codePoint; i++) {
    if (unit >= text.length) return undefined;
    unit += (text.codePointAt(unit) as number) > 0xffff ? 2 : 1;
  }
  return unit;
}

/** The number of code points before a UTF-16 index. */
export function codePointOf(text: string, unit: number): number {
  return codePoints(text.slice(0, unit));
}
