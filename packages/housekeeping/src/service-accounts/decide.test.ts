import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nothingToDo } from '@flotilla/runtime';
import { decideServiceAccount } from './decide.ts';

function namespace(phase: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sea' }, status: { phase } };
}

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'sea' } };

describe('a namespace', () => {
  test('gets a default service account', () => {
    const [[write] = []] = decideServiceAccount({ namespace: namespace('Active'), account: undefined }).steps;
    assert.deepEqual(write?.verb === 'create' && write.object, account);
  });

  test('gets no second default account', () => {
    assert.deepEqual(decideServiceAccount({ namespace: namespace('Active'), account }), nothingToDo);
  });

  test('gets no account while it terminates', () => {
    assert.deepEqual(decideServiceAccount({ namespace: namespace('Terminating'), account: undefined }), nothingToDo);
  });
});
