import type { CustomResourceDefinition, DefinitionVersion, JsonSchema } from '@flotilla/schema';
import { isDeepStrictEqual } from 'node:util';
import { fieldRows, type FieldRow } from './field-rows.ts';
import { code } from './markdown.ts';
import { isSchema } from '../schema-difference.ts';

/** How each version differs from the stored one, in a sentence. */
export function versionDifferences({ spec }: CustomResourceDefinition): string[] {
  const stored = spec.versions.find(({ storage }) => storage);
  if (!stored) return [];
  const others = spec.versions.filter((version) => version !== stored);
  return others.map((version) => `${code(version.name)} ${listed(differencePhrases(stored, version))}.`);
}

function differencePhrases(stored: DefinitionVersion, other: DefinitionVersion): string[] {
  const [base, rows] = [rowsOf(stored), rowsOf(other)];
  const there = new Map(rows.map((row) => [row.path, row]));
  const gone = base.map(({ path }) => path).filter((path) => !there.has(path));
  const differing = base.filter((row) => isChanged(row, there.get(row.path))).map(({ path }) => path);
  const phrases = [
    gone.length > 0 && `lacks ${withoutInner(gone).map(code).join(', ')}`,
    differing.length > 0 && `differs in ${differing.map(code).join(', ')}`,
    !isDeepStrictEqual(rulesOf(stored), rulesOf(other)) && 'has other rules for the whole object',
    !isDeepStrictEqual(stored.additionalPrinterColumns, other.additionalPrinterColumns) && 'has other columns',
  ];
  return phrases.filter((phrase) => phrase !== false);
}

function listed(phrases: readonly string[]): string {
  return phrases.length > 0 ? phrases.join(' and ') : 'is the same';
}

function isChanged(row: FieldRow, other: FieldRow | undefined): boolean {
  return (
    other !== undefined &&
    (row.isRequired !== other.isRequired || !isDeepStrictEqual(shallow(row.schema), shallow(other.schema)))
  );
}

/** A schema without its nested fields, which have rows of their own. */
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

/** If an object is missing, so are its fields. */
function withoutInner(paths: readonly string[]): string[] {
  return paths.filter(
    (path) =>
      !paths.some((outer) => path !== outer && path.startsWith(outer) && /^[.[{]/.test(path.slice(outer.length))),
  );
}

function rowsOf({ schema }: DefinitionVersion): FieldRow[] {
  return fieldRows(schema?.openAPIV3Schema ?? {}, []);
}

function rulesOf({ schema }: DefinitionVersion): JsonSchema['x-kubernetes-validations'] {
  return schema?.openAPIV3Schema?.['x-kubernetes-validations'];
}
