/** Places in a text: CEL counts code points, JavaScript counts units of UTF-16. */
import { codePoints } from './size.ts';
import { readText } from './work.ts';

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
