import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patchSchemaOfKind } from './patch-schemas.ts';

test('every version of a built-in kind has a patch schema', () => {
  assert.equal(patchSchemaOfKind({ group: 'apps', version: 'v1', kind: 'Deployment' })?.name, 'Deployment');
  assert.equal(patchSchemaOfKind({ group: '', version: 'v1', kind: 'Service' })?.name, 'Service');
  assert.equal(patchSchemaOfKind({ group: 'apps', version: 'v1beta1', kind: 'Deployment' })?.name, 'Deployment');
});

test('a kind that is not built in has no patch schema, even under the name of a built-in one', () => {
  assert.equal(patchSchemaOfKind({ group: 'example.com', version: 'v1', kind: 'Deployment' }), undefined);
  assert.equal(patchSchemaOfKind({ group: 'example.com', version: 'v1', kind: 'Status' }), undefined);
  assert.equal(patchSchemaOfKind({ group: 'apps', version: 'v9', kind: 'Deployment' }), undefined);
});
