/** Warning headers (RFC 7234, code 299): what the server noticed but let pass. kubectl prints them. */

const maxTotalRunes = 4096;
const truncatedRunes = 256;

/** Once all of them together are too long, each is shortened, and those after the limit are left out. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '').map((text) => Array.from(text));
  const fitting = howManyFit(texts, maxTotalRunes);
  if (fitting === texts.length) return texts.map(headerOf);
  const shortened = texts.map((runes) => runes.slice(0, truncatedRunes));
  return shortened.slice(0, Math.max(fitting + 1, howManyStart(shortened, maxTotalRunes))).map(headerOf);
}

function howManyFit(texts: readonly string[][], limit: number): number {
  let total = 0;
  const first = texts.findIndex((runes) => (total += runes.length) > limit);
  return first < 0 ? texts.length : first;
}

/** Those that begin before the limit, wherever they end. */
function howManyStart(texts: readonly string[][], limit: number): number {
  let total = 0;
  const last = texts.findIndex((runes) => (total += runes.length) >= limit);
  return last < 0 ? texts.length : last + 1;
}

function headerOf(runes: readonly string[]): string {
  const text = runes.join('').replaceAll(/[\p{Cc}]/gu, '');
  // Headers are Latin-1 on Node's side of the wire; UTF-8 bytes pass as what they are.
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  return `299 - "${latin1.replaceAll(/[\\"]/g, '\\$&')}"`;
}
