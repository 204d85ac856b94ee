import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonSchema } from '@flotilla/schema';
import { definitions, networkingDefinitions } from './definitions.ts';
import { fieldRows } from './reference/field-rows.ts';

const all = [...(await definitions()), ...(await networkingDefinitions())];

describe('every field is described', () => {
  for (const { metadata, spec } of all) {
    for (const { name, schema } of spec.versions) {
      test(`of ${metadata.name} in ${name}`, () => {
        const root = schema?.openAPIV3Schema ?? {};
        const rows = fieldRows(root, []).filter(({ path }) => path !== 'metadata');
        assert.deepEqual(
          rows.filter((row) => !isSentence(row.schema)).map(({ path }) => path),
          [],
        );
        assert.ok(isSentence(root), 'the kind itself');
      });
    }
  }
});

function isSentence({ description = '' }: JsonSchema): boolean {
  return /^[A-Z$`].*[.]$/.test(description);
}
