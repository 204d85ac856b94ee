import type { JsonSchema } from '@flotilla/schema';
import { isSchema } from '../schema-difference.ts';

import { code } from './markdown.ts';
import { sharedTypeOf, type SharedType } from './field-rows.ts';

/** The constraints of a field as phrases: `at least 1`, `one of …`. Shared types have theirs in their own section. */
export function constraints(schema: JsonSchema, shared: readonly SharedType[]): string[] {
  const { items, additionalProperties: values } = schema;
  return [
    ...(sharedTypeOf(schema, shared)?.schema === schema ? [] : ownConstraints(schema)),
    ...(isPlain(items, shared) ? ownConstraints(items).map((phrase) => `each ${phrase}`) : []),
    ...(isPlain(values, shared) ? ownConstraints(values).map((phrase) => `each value ${phrase}`) : []),
  ];
}

export function ownConstraints(schema: JsonSchema): string[] {
  const phrases = table.map(([key, say]) => (schema[key] === undefined ? undefined : say(schema[key])));
  return phrases.filter((phrase) => phrase !== undefined);
}

const table: readonly (readonly [keyof JsonSchema, (value: unknown) => string])[] = [
  ['enum', (values) => oneOf(values as unknown[])],
  ['minimum', (value) => `at least ${String(value)}`],
  ['maximum', (value) => `at most ${String(value)}`],
  ['minLength', (value) => `at least ${count(value, 'character')}`],
  ['maxLength', (value) => `at most ${count(value, 'character')}`],
  ['pattern', (value) => `matches ${code(String(value))}`],
  ['minItems', (value) => `at least ${count(value, 'item')}`],
  ['maxItems', (value) => `at most ${count(value, 'item')}`],
  ['minProperties', (value) => `at least ${count(value, 'entry', 'entries')}`],
  ['maxProperties', (value) => `at most ${count(value, 'entry', 'entries')}`],
  ['x-kubernetes-list-map-keys', (keys) => `one item for each ${(keys as string[]).map(code).join(' and ')}`],
  ['default', (value) => `${literal(value)} when left out`],
];

/** Objects within a list or a map have rows of their own. */
function isPlain(schema: Parameters<typeof isSchema>[0], shared: readonly SharedType[]): schema is JsonSchema {
  return isSchema(schema) && schema.properties === undefined && !sharedTypeOf(schema, shared);
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => code(String(value)));
  return words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
}

function literal(value: unknown): string {
  return code(typeof value === 'string' && value !== '' ? value : JSON.stringify(value));
}

function count(value: unknown, one: string, many = `${one}s`): string {
  return `${String(value)} ${value === 1 ? one : many}`;
}
