/** Limits for texts that members write, in bytes of JSON. */
import { jsonTextSize } from '@flotilla/kube';

/** The longest encoding of a character in JSON: `\u0000`. */
const maxBytesPerCharacter = 6;

/** Encodes only texts that are long enough to exceed the limit. */
export function fits(text: string, maxBytes: number): boolean {
  if (text.length * maxBytesPerCharacter + 2 <= maxBytes) return true;
  return text.length <= maxBytes && jsonTextSize(text) <= maxBytes;
}

export function cutText(text: string, maxBytes: number): string {
  if (fits(text, maxBytes)) return text;
  let cut = text.slice(0, maxBytes / 2);
  while (!fits(`${cut}…`, maxBytes)) cut = cut.slice(0, cut.length / 2);
  return `${cut}…`;
}
