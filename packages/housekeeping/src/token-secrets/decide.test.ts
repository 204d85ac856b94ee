import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Secret } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { nothingToDo } from '@flotilla/runtime';
import { decideTokenSecrets } from './decide.ts';

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'bot', namespace: 'sea', uid: 'u1' } };

function secret(more: { data?: Record<string, string>; uid?: string } = {}): Secret {
  const annotations = {
    'kubernetes.io/service-account.name': 'bot',
    ...(more.uid !== undefined && { 'kubernetes.io/service-account.uid': more.uid }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key', namespace: 'sea', uid: 's1', resourceVersion: '7', annotations },
    type: 'kubernetes.io/service-account-token',
    ...(more.data && { data: more.data }),
  };
}

function decided(secrets: readonly Secret[], exists = true): Plan {
  return decideTokenSecrets({
    account: exists ? account : undefined,
    secrets,
    certificate: 'PEM',
    sign: ({ namespace, account: { name, uid }, secret: kept }) =>
      `${namespace}/${name}/${uid}/${kept.name}/${kept.uid}`,
  });
}

function updated(plan: Plan): Secret | undefined {
  const [[write] = []] = plan.steps;
  return write?.verb === 'update' ? write.object : undefined;
}

function decode(secretData: Record<string, string> | undefined): Record<string, string> {
  const entries = Object.entries(secretData ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]));
}

describe('a token secret', () => {
  test('gets token, certificate and namespace, and the uid of its account', () => {
    const filled = updated(decided([secret()]));
    assert.deepEqual(decode(filled?.data), { 'ca.crt': 'PEM', namespace: 'sea', token: 'sea/bot/u1/key/s1' });
    assert.equal(filled?.metadata.annotations?.['kubernetes.io/service-account.uid'], 'u1');
    assert.equal(filled?.metadata.resourceVersion, '7');
  });

  test('is not written if nothing is missing', () => {
    const filled = updated(decided([secret()]));
    assert.deepEqual(decided(filled ? [filled] : []), nothingToDo);
  });

  test('keeps its token and its other data', () => {
    const data = { token: 'bWluZQ==', more: 'eA==' };
    const after = decode(updated(decided([secret({ data })]))?.data);
    assert.equal(after['token'], 'mine');
    assert.equal(after['more'], 'x');
  });

  test('is deleted when its account is gone', () => {
    const [[write] = []] = decided([secret({ uid: 'u1' })], false).steps;
    assert.deepEqual(write?.verb === 'delete' && [write.key, write.uid], [{ namespace: 'sea', name: 'key' }, 's1']);
  });

  test('is deleted when an account with another uid has the name', () => {
    const [[write] = []] = decided([secret({ uid: 'older' })]).steps;
    assert.equal(write?.verb, 'delete');
  });
});
