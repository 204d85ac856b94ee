import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptFields } from './field-filter.ts';
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts';

const fields = fromFieldsV1({
  'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} }, 'f:annotations': { 'f:b': {} } },
  'f:spec': {
    'f:containers': {
      'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:resources': { '.': {}, 'f:limits': {} } },
      'k:{"name":"side"}': { '.': {}, 'f:image': {} },
    },
  },
  'f:status': { '.': {}, 'f:phase': {} },
});

test('removes fields with everything below them', () => {
  const filter = exceptFields([['status'], ['spec'], ['metadata', 'labels']]);
  assert.deepEqual(toFieldsV1(filter(fields)), { 'f:metadata': { 'f:annotations': { 'f:b': {} } } });
});
