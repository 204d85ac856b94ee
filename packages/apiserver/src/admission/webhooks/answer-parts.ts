/** Bounds what the event loop spends on the answer of a webhook. A large answer is cheap to read if it is one long text. */

/** Smaller texts are not counted. */
const freeBytes = 16 * 1024;

/** An answer, or a patch in it, that would take too long to parse. */
export class TooManyParts extends Error {
  override readonly name = 'TooManyParts';
}

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
