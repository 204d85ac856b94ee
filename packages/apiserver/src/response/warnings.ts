/** Warning headers (RFC 7234, code 299), which kubectl prints. */

const maxTotalRunes = 4096;
const truncatedRunes = 256;

/** If all together are too long, shortens each, and omits those after the limit. */
export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '').map((text) => Array.from(text));
  const fitting = countFitting(texts, maxTotalRunes);
  if (fitting === texts.length) return texts.map(headerOf);
  const shortened = texts.map((runes) => runes.slice(0, truncatedRunes));
  return shortened.slice(0, Math.max(fitting + 1, countStarted(shortened, maxTotalRunes))).map(headerOf);
}

function countFitting(texts: readonly string[][], limit: number): number {
  let total = 0;
  const first = texts.findIndex((runes) => (total += runes.length) > limit);
  return first < 0 ? texts.length : first;
}

/** The number of texts that begin before the limit. */
function countStarted(texts: readonly string[][], limit: number): number {
  let total = 0;
  const last = texts.findIndex((runes) => (total += runes.length) >= limit);
  return last < 0 ? texts.length : last + 1;
}

function headerOf(runes: readonly string[]): string {
  const text = runes.join('').replaceAll(/[\p{Cc}]/gu, '');
  // Node writes headers as Latin-1, so that each UTF-8 byte must be one character.
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  return `299 - "${latin1.replaceAll(/[\\"]/g, '\\$&')}"`;
}
