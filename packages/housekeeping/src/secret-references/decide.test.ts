import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nothingToDo } from '@flotilla/runtime';
import { decideSecretReference } from './decide.ts';

const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'bot', namespace: 'sea', resourceVersion: '7' },
  secrets: [{ name: 'key' }, { name: 'chart' }],
};

describe('a service account whose token secret is deleted', () => {
  test('loses its reference, and keeps the others', () => {
    const [[write] = []] = decideSecretReference({ account, secret: 'key' }).steps;
    assert.deepEqual(write?.verb === 'update' && write.object, { ...account, secrets: [{ name: 'chart' }] });
  });

  test('is not written if it has no reference to it', () => {
    assert.deepEqual(decideSecretReference({ account, secret: 'other' }), nothingToDo);
  });
});
