/** Bounds what the event loop spends on the answer of a webhook. A large answer is cheap to read if it is one long text. */

import { TooManyParts } from '../resources/too-many-parts.ts';

/** A patch of 3 MiB in base64, or an object of that size, and some room for the rest. */
export const maxAnswerBytes = 4.5 * 1024 * 1024;

/** Takes a few milliseconds to parse. */
export const mainThreadParts = 10_000;
/** More than any object has that can be stored, at a fraction of a second. */
export const workerParts = 800_000;

/** Smaller texts are not counted. */
const freeBytes = 16 * 1024;

/** Throws if the JSON has more than `max` members and items. A text may count as some. */
export function checkParts(json: Uint8Array, max: number): void {
  if (json.length <= freeBytes) return;
  let parts = 0;
  for (const byte of json) {
    if (isSeparator(byte) && ++parts > max) throw new TooManyParts(`the answer has more than ${max} values`);
  }
}

/** `{`, `[`, `,` and `:`, which base64 does not have. */
function isSeparator(byte: number): boolean {
  return byte === 0x2c || byte === 0x3a || byte === 0x7b || byte === 0x5b;
}
