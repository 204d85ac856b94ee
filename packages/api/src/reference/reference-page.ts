import type { CustomResourceDefinition, DefinitionVersion, JsonSchema } from '@flotilla/schema';
import { anchorOf, code, table } from './markdown.ts';
import { constraints, ownConstraints } from './constraints.ts';
import { fieldRows, haveSameFields, sharedTypeOf, type FieldRow, type SharedType } from './field-rows.ts';
import { versionDifferences } from './version-differences.ts';

const opening = [
  '# The kinds of the fleet',
  '',
  'Written by `npm run generate` from the schemas in [packages/api](../packages/api/README.md); change them there.',
  'A star marks a required field. `[]` is an item of a list, `{}` a value of a map. The tables show the stored version.',
];

export function referencePage(definitions: readonly CustomResourceDefinition[], shared: readonly SharedType[]): string {
  const sections = [...Map.groupBy(definitions, ({ spec }) => spec.group)].flatMap(([group, members]) => [
    '',
    `## ${group}`,
    ...members.flatMap((definition) => kindSection(definition, definitions, shared)),
  ]);
  const parts = shared.flatMap((type) => typeSection(type, shared));
  return `${[...opening, '', ...overview(definitions), ...sections, '', '## Shared types', ...parts].join('\n')}\n`;
}

function overview(definitions: readonly CustomResourceDefinition[]): string[] {
  const rows = definitions.map(({ spec: { names, scope, versions } }) => [
    `[${names.kind}](${anchorOf(names.kind)})`,
    (names.shortNames ?? []).map(code).join(', '),
    scope,
    versions.map(({ name }) => name).join(', '),
  ]);
  return table(['kind', 'short', 'scope', 'versions'], rows);
}

function kindSection(
  definition: CustomResourceDefinition,
  all: readonly CustomResourceDefinition[],
  shared: readonly SharedType[],
): string[] {
  const { names, scope } = definition.spec;
  const stored = storedVersion(definition);
  const schema = schemaOf(definition);
  const twin = all.slice(0, all.indexOf(definition)).find((other) => haveSameFields(schemaOf(other), schema));
  return [
    '',
    `### ${names.kind}`,
    '',
    schema.description ?? '',
    '',
    `- ${code(names.plural)}, ${scope === 'Cluster' ? 'for the whole cluster' : 'in namespaces'}, stored as ${code(stored?.name ?? '')}`,
    ...versionDifferences(definition).map((detail) => `- ${detail}`),
    ...columnsText(stored),
    ...ruleSentences(schema).map((text) => `- ${text}`),
    '',
    ...(twin
      ? [`Its fields are those of [${twin.spec.names.kind}](${anchorOf(twin.spec.names.kind)}).`]
      : fieldTable(schema, shared)),
  ];
}

function typeSection({ title, schema }: SharedType, shared: readonly SharedType[]): string[] {
  const text = [schema.description ?? '', detail(ownConstraints(schema)), ...ruleSentences(schema)];
  const fields = schema.properties ? ['', ...fieldTable(schema, shared)] : [];
  return ['', `### ${title}`, '', joined(text), ...fields];
}

function fieldTable(schema: JsonSchema, shared: readonly SharedType[]): string[] {
  const rows = fieldRows(schema, shared).filter(({ path }) => !everyObjectHas.has(path));
  return table(
    ['field', 'type', 'description'],
    rows.map((row) => fieldCells(row, shared)),
  );
}

const everyObjectHas = new Set(['apiVersion', 'kind', 'metadata']);

function fieldCells({ path, type, isRequired, schema }: FieldRow, shared: readonly SharedType[]): string[] {
  const rules = sharedTypeOf(schema, shared)?.schema === schema ? [] : ruleSentences(schema);
  const text = [schema.description ?? '', detail(constraints(schema, shared)), ...rules];
  return [`${code(path)}${isRequired ? '\\*' : ''}`, type, joined(text)];
}

function storedVersion({ spec }: CustomResourceDefinition): DefinitionVersion | undefined {
  return spec.versions.find(({ storage }) => storage);
}

function schemaOf(definition: CustomResourceDefinition): JsonSchema {
  return storedVersion(definition)?.schema?.openAPIV3Schema ?? {};
}

function columnsText(version: DefinitionVersion | undefined): string[] {
  const names = (version?.additionalPrinterColumns ?? []).map(({ name, priority = 0 }) =>
    priority > 0 ? `${name} (wide)` : name,
  );
  return names.length > 0 ? [`- Columns: ${names.join(', ')}`] : [];
}

function ruleSentences(schema: JsonSchema): string[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule, message }) => `Rule: ${message ?? code(rule)}.`);
}

function detail(phrases: readonly string[]): string {
  const text = phrases.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function joined(messages: readonly string[]): string {
  return messages.filter((text) => text !== '').join(' ');
}
