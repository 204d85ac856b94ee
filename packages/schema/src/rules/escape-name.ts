/** Names of properties in expressions: CEL's identifiers have fewer characters than JSON's keys. */

const reservedNames: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

const escapes: Readonly<Record<string, string>> = { __: 'underscores', '.': 'dot', '-': 'dash', '/': 'slash' };

const escapable = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/;
const toEscape = /__|[./-]/g;

/** Undefined if expressions cannot name the property. */
export function escapeName(name: string): string | undefined {
  if (reservedNames.has(name)) return `__${name}__`;
  if (!escapable.test(name)) return undefined;
  return name.replace(toEscape, (found) => `__${escapes[found]}__`);
}

/** Whether an expression may also use the unescaped name after a dot. */
export function isReservedName(name: string): boolean {
  return reservedNames.has(name);
}
