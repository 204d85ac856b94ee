/** Prints expressions in the form of the conformance data, with an adornment after each node. */
import type { Expr, LiteralValue, MapEntry, StructField } from '../ast.ts';

export type Adorn = (node: Expr | MapEntry | StructField) => string;

export function debugString(expr: Expr, adorn: Adorn): string {
  const block = (open: string, parts: readonly string[], close: string): string =>
    parts.length === 0 ? open + close : `${open}\n${parts.map(indent).join(',\n')}\n${close}`;
  const print = (node: Expr): string => bare(node) + adorn(node);
  const bare = (node: Expr): string => {
    switch (node.kind) {
      case 'literal':
        return literalString(node.value);
      case 'ident':
        return node.name;
      case 'select':
        return `${print(node.operand)}.${node.field}${node.test ? '~test-only~' : ''}`;
      case 'call': {
        const target = node.target === undefined ? '' : `${print(node.target)}.`;
        return block(`${target}${node.function}(`, node.args.map(print), ')');
      }
      case 'list':
        return block('[', node.elements.map(print), ']');
      case 'map':
        return block('{', node.entries.map(mapEntry), '}');
      case 'struct':
        return block(`${node.typeName}{`, node.fields.map(structField), '}');
      case 'comprehension':
        return fold(node);
    }
  };
  const mapEntry = (entry: MapEntry): string =>
    `${entry.optional ? '?' : ''}${print(entry.key)}:${print(entry.value)}${adorn(entry)}`;
  const structField = (field: StructField): string =>
    `${field.optional ? '?' : ''}${field.name}:${print(field.value)}${adorn(field)}`;
  const fold = (node: Extract<Expr, { kind: 'comprehension' }>): string => {
    const variables = node.iterVar2 === undefined ? node.iterVar : `${node.iterVar},\n${node.iterVar2}`;
    const parts = [
      `// Variable\n${variables}`,
      `// Target\n${print(node.range)}`,
      `// Accumulator\n${node.accuVar}`,
      `// Init\n${print(node.init)}`,
      `// LoopCondition\n${print(node.condition)}`,
      `// LoopStep\n${print(node.step)}`,
      `// Result\n${print(node.result)}`,
    ];
    return `__comprehension__(\n${parts.map(indent).join(',\n')})`;
  };
  return print(expr);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function literalString(literal: LiteralValue): string {
  switch (literal.type) {
    case 'null':
      return 'null';
    case 'string':
      return goQuote(literal.value);
    case 'bytes':
      return `b${goQuoteBytes(literal.value)}`;
    case 'uint':
      return `${literal.value}u`;
    case 'double':
      return goDouble(literal.value);
    case 'bool':
    case 'int':
      return String(literal.value);
  }
}

/** The shortest digits, with a two-digit exponent from 1e21 on and below 1e-4. */
function goDouble(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e21)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Object.is(value, -0) ? '-0' : String(value);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

function goQuote(text: string): string {
  let quoted = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    quoted += escapes.get(character) ?? (code < 32 || code === 127 ? hexEscape(code) : character);
  }
  return `"${quoted}"`;
}

function goQuoteBytes(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('\ufffd')) return goQuote(text);
  return `"${Array.from(bytes, (byte) => (byte < 128 ? goQuote(String.fromCodePoint(byte)).slice(1, -1) : hexEscape(byte))).join('')}"`;
}

function hexEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}
