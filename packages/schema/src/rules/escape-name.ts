/** Names of properties as expressions write them: CEL's identifiers have fewer characters than JSON's keys. */

const RESERVED: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const ESCAPES: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

const ESCAPABLE = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/;
const TO_ESCAPE = /__|[./-]/g;

/** Undefined where no expression can name the property. */
export function escapeName(name: string): string | undefined {
  if (RESERVED.has(name)) return `__${name}__`;
  if (!ESCAPABLE.test(name)) return undefined;
  return name.replace(TO_ESCAPE, (found) => `__${ESCAPES[found]}__`);
}

/** Whether an expression may also write the name plainly, after a dot. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}
