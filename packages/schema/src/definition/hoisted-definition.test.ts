import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hoisted } from './hoisted-definition.ts';
import { aDefinition, aVersion } from './sample-definition.testing.ts';

const columns = [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];

test('moves what all versions have in common to the top', () => {
  const versions = [
    aVersion({ a: { type: 'string' } }, { additionalPrinterColumns: columns }),
    aVersion({ a: { type: 'string' } }, { name: 'v2', storage: false }),
  ];
  const { shared, versions: own } = hoisted(aDefinition({ versions }).spec);
  assert.deepEqual(shared.schema, versions[0]?.schema);
  assert.equal(shared.additionalPrinterColumns, undefined);
  assert.deepEqual(
    own.map(({ schema, additionalPrinterColumns }) => ({ schema, additionalPrinterColumns })),
    [
      { schema: undefined, additionalPrinterColumns: columns },
      { schema: undefined, additionalPrinterColumns: undefined },
    ],
  );
});

test('a single version shares everything', () => {
  const { shared, versions } = hoisted(
    aDefinition({ versions: [aVersion({}, { subresources: { status: {} } })] }).spec,
  );
  assert.deepEqual(shared.subresources, { status: {} });
  assert.equal(versions[0]?.subresources, undefined);
});

test('no versions share nothing', () => {
  assert.deepEqual(hoisted(aDefinition({ versions: [] }).spec).versions, []);
});
