import type { CustomResourceDefinition, JsonSchema } from '@flotilla/schema';
import { isDeepStrictEqual } from 'node:util';
import { fieldRows, type FieldRow } from './field-rows.ts';
import { code } from './markdown.ts';
import { isSchema } from '../is-schema.ts';

/** How each version that is not stored differs from the one that is, in a sentence. */
export function versionDifferences({ spec }: CustomResourceDefinition): string[] {
  const stored = spec.versions.find(({ storage }) => storage);
  const base = rowsOf(stored?.schema?.openAPIV3Schema);
  return spec.versions
    .filter((version) => version !== stored)
    .map(({ name, schema }) => `${code(name)} ${differenceText(base, rowsOf(schema?.openAPIV3Schema))}.`);
}

function differenceText(base: readonly FieldRow[], other: readonly FieldRow[]): string {
  const there = new Map(other.map((row) => [row.path, row]));
  const gone = base.map(({ path }) => path).filter((path) => !there.has(path));
  const changed = base.filter((row) => isChanged(row, there.get(row.path)));
  const phrases = [
    ...(gone.length > 0 ? [`lacks ${withoutInner(gone).map(code).join(', ')}`] : []),
    ...(changed.length > 0 ? [`differs in ${changed.map(({ path }) => code(path)).join(', ')}`] : []),
  ];
  return phrases.length > 0 ? phrases.join(' and ') : 'is the same';
}

function isChanged(row: FieldRow, other: FieldRow | undefined): boolean {
  return (
    other !== undefined &&
    (row.isRequired !== other.isRequired || !isDeepStrictEqual(shallow(row.schema), shallow(other.schema)))
  );
}

/** A schema without the fields within it, which have rows of their own. */
function shallow(schema: JsonSchema): JsonSchema {
  const { items, additionalProperties: values } = schema;
  return {
    ...schema,
    properties: {},
    required: [],
    ...(isSchema(items) && { items: shallow(items) }),
    ...(isSchema(values) && { additionalProperties: shallow(values) }),
  };
}

/** Where an object is gone, so are its fields. */
function withoutInner(paths: readonly string[]): string[] {
  return paths.filter(
    (path) =>
      !paths.some((outer) => path !== outer && path.startsWith(outer) && /^[.[{]/.test(path.slice(outer.length))),
  );
}

function rowsOf(schema: JsonSchema = {}): FieldRow[] {
  return fieldRows(schema, []);
}
