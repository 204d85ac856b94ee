/** The path syntax of rules' `fieldPath` and of selectable fields: `.spec.labels['a.b']`. */
import { propertyOf, valuesOf, type JsonSchema } from '../json-schema.ts';

interface FoundField {
  /** As errors write it: `spec.labels[a.b]`. */
  readonly path: string;
  /** The first step. */
  readonly root: string;
  /** Undefined if the schema says nothing more. */
  readonly schema: JsonSchema | undefined;
}

interface PathOptions {
  readonly mayIndex?: boolean;
}

/** The field that the path leads to, or the problem. */
export function followFieldPath(
  fieldPath: string,
  schema: JsonSchema,
  { mayIndex = true }: PathOptions = {},
): FoundField | { readonly problem: string } {
  const tokens = tokensOf(fieldPath);
  let found: FoundField = { path: '', root: '', schema };
  for (let at = 0; at < tokens.length;) {
    const delimiter = tokens[at];
    if (delimiter !== '.' && delimiter !== '[') return { problem: `expected [ or . but got: ${delimiter}` };
    if (delimiter === '[' && !mayIndex) return { problem: 'array notation is not allowed' };
    const token = tokens[at + 1];
    if (token === undefined) return { problem: unexpectedEndMessage };
    const name = delimiter === '.' ? { text: token } : unquoted(token);
    if ('problem' in name) return name;
    const next = step(found, name.text);
    if (next === undefined) return { problem: noFieldMessage };
    found = next;
    if (delimiter === '[' && tokens[at + 2] !== ']') return { problem: notClosed(tokens[at + 2]) };
    at += delimiter === '[' ? 3 : 2;
  }
  return found;
}

const unexpectedEndMessage = 'unexpected end of JSON path';
const noFieldMessage = 'does not refer to a valid field';

function step({ path, root, schema }: FoundField, name: string): FoundField | undefined {
  if (schema?.properties !== undefined) {
    const property = propertyOf(schema, name);
    if (property === undefined) return undefined;
    return { path: path === '' ? name : `${path}.${name}`, root: root === '' ? name : root, schema: property };
  }
  if (schema?.additionalProperties === undefined) return undefined;
  return { path: `${path}[${name}]`, root: root === '' ? `[${name}]` : root, schema: valuesOf(schema) };
}

function notClosed(token: string | undefined): string {
  return token === undefined ? unexpectedEndMessage : `expected ] but got ${token}`;
}

/** A quoted text, or everything up to the next of `.`, `[` and `]`, which are tokens themselves. */
const tokenPattern = /'(?:[^']|(?<=\\)')*(?<!\\)'|'.*|[.[\]]|[^.[\]]+/gsy;

function tokensOf(fieldPath: string): string[] {
  return fieldPath.match(tokenPattern) ?? [];
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

function unquoted(token: string): { readonly text: string } | { readonly problem: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) {
    return { problem: `expected single quoted string but got ${token}` };
  }
  const inner = token.slice(1, -1);
  const odd = (inner.match(/\\./gs) ?? []).findLast((escape) => !Object.hasOwn(escapes, escape.charAt(1)));
  if (odd !== undefined) return { problem: `invalid string literal: invalid escape char ${odd}` };
  return { text: inner.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? '') };
}
