/** `generate-fleet-file-reference.ts FOLDER`: writes the reference of fleet files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fleetSchema } from '@flotilla/fleet/file';
import type { JsonSchema } from '@flotilla/schema';
import { constraints } from '../packages/api/src/reference/constraints.ts';
import { fieldRows } from '../packages/api/src/reference/field-rows.ts';
import { code, table } from '../packages/api/src/reference/markdown.ts';

const opening = [
  '# The fields of a fleet file',
  '',
  'Written by `npm run generate` from [its schema](../packages/fleet/src/file/fleet-schema.ts); change that. [Fleet files](fleet-file.md) explains their use.',
  'A star marks a required field. `[]` is an item of a list. A field without a value has its default, if it has one.',
];

function section(name: string, schema: JsonSchema): string[] {
  const rows = fieldRows(schema, []).map((row) => [
    `${code(row.path)}${row.isRequired ? '\\*' : ''}`,
    row.type,
    [row.schema.description, sentence(constraints(row.schema, []))].filter(Boolean).join(' '),
  ]);
  return ['', `## ${name}`, '', schema.description ?? '', '', ...table(['field', 'type', 'description'], rows)];
}

function sentence(phrases: readonly string[]): string {
  const text = phrases.join('; ');
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const { hub, workloads, members } = fleetSchema.json.properties ?? {};
const lines = [
  ...opening,
  ...section('hub', hub ?? {}),
  ...section('workloads', workloads ?? {}),
  ...section('members[]', (members?.items ?? {}) as JsonSchema),
];
const [folder = '.'] = process.argv.slice(2);
writeFileSync(join(folder, 'fleet-file-reference.md'), `${lines.join('\n')}\n`);
