import { JsonPathError } from './json-path-error.ts';

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

const escape = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|)/g;

/** The text between two quotes of either kind, with Go's escapes. */
export function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(escape, (whole, simple?: string, ...codes: (string | undefined)[]) => {
    if (simple !== undefined) return simpleEscapes[simple] ?? '';
    const [x, u, long, octal] = codes;
    const hex = x ?? u ?? long;
    const code = hex === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(hex, 16);
    if (Number.isNaN(code) || code > 0x10ffff) throw new JsonPathError(`unquote string ${quoted} error invalid syntax`);
    return whole === '' ? '' : String.fromCodePoint(code);
  });
}
