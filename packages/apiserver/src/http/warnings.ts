/** Warning headers (RFC 7234, code 299): what the server noticed but let pass. kubectl prints them. */

const maxTotalRunes = 4096;
const truncatedRunes = 256;

export function warningHeaders(warnings: readonly string[]): string[] {
  const texts = [...new Set(warnings)].map(withoutControls).filter((text) => text !== '');
  const total = texts.reduce((sum, text) => sum + Array.from(text).length, 0);
  const shown = total > maxTotalRunes ? texts.map((text) => Array.from(text).slice(0, truncatedRunes).join('')) : texts;
  return shown.map((text) => `299 - "${text.replaceAll(/[\\"]/g, '\\$&')}"`);
}

/** Headers are Latin-1 on Node's side of the wire; UTF-8 bytes pass as what they are. */
function withoutControls(text: string): string {
  return Buffer.from(text.replaceAll(/[\p{Cc}]/gu, ''), 'utf8').toString('latin1');
}
