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

describe('an account whose token is gone', () => {
  test('lists it no more, and keeps the rest', () => {
    const [[write] = []] = decideSecretReference({ account, secret: 'key' }).steps;
    assert.deepEqual(write?.verb === 'update' && write.object, { ...account, secrets: [{ name: 'chart' }] });
  });

  test('is left alone when it never listed it', () => {
    assert.deepEqual(decideSecretReference({ account, secret: 'other' }), nothingToDo);
  });
});
