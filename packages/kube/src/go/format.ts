/** Printing as Go's `fmt` and `strconv` do, for messages that clients compare. */

/** What Go prints unescaped inside quotes: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const printablePattern = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** `strconv.Quote`, which is also `%q`. */
export function quote(text: string): string {
  return isPlain(text) ? `"${text}"` : `"${Array.from(text.toWellFormed(), escaped).join('')}"`;
}

/** `%q` of a string slice: `["a" "b"]`. */
export function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`;
}

/** `%#v` of a string slice: `[]string{"a", "b"}`. */
export function goSyntaxOf(texts: readonly string[]): string {
  return `[]string{${texts.map(quote).join(', ')}}`;
}

/**
 * Orders strings by their UTF-8 bytes, as Go does. JavaScript compares UTF-16 units, which differs only for
 * surrogates.
 */
export function compareBytes(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** `%v` of a float64: shortest digits. The exponent has at least two digits and appears from 1e6 on and below 1e-4. */
export function goFloat(value: number): string {
  const scientific = value.toExponential();
  const at = scientific.indexOf('e');
  const power = Number(scientific.slice(at + 1));
  if (power >= -4 && power < 6) return Object.is(value, -0) ? '-0' : String(value);
  const sign = power < 0 ? '-' : '+';
  return `${scientific.slice(0, at)}e${sign}${Math.abs(power).toString().padStart(2, '0')}`;
}

/** The number of UTF-8 bytes, which is Go's `len`. */
export function byteLength(text: string): number {
  if (text.length > maxScanned) return Buffer.byteLength(text);
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0x7f) return Buffer.byteLength(text);
  }
  return text.length;
}

/** Beyond this, a call of the engine takes less time than a loop. */
const maxScanned = 64;

/** Whether the text is printable ASCII without quotes and backslashes. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return false;
  }
  return true;
}

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  if (printablePattern.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** Ranks surrogates above the rest of the basic plane, like the code points that they encode. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Go's strings.TrimRight. A regular expression for the end of a text takes quadratic time. */
export function trimRight(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
