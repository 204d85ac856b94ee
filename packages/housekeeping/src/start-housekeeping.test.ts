import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from './kinds.ts';
import { namesOf } from './objects.testing.ts';

const hourMs = 3_600_000;

describe('a server with housekeeping', () => {
  let house: TestServer;
  before(async () => {
    house = await startTestServer({ housekeeping: true });
  });
  after(() => house.stop());

  test('writes nothing while nothing happens', async () => {
    const { resourceVersion } = await house.client.list(kinds.namespace);
    await house.clock.advance(2 * hourMs);
    assert.equal((await house.client.list(kinds.namespace)).resourceVersion, resourceVersion);
  });

  test('gives every namespace an account and the certificate, and gives them back', async () => {
    const account = { namespace: 'sea', name: 'default' };
    const certificate = { namespace: 'sea', name: 'kube-root-ca.crt' };
    await house.create(kinds.namespace, { metadata: { name: 'sea' } });
    await house.settle();
    const first = await house.find(kinds.serviceAccount, account);
    assert.deepEqual((await house.find(kinds.configMap, certificate))?.data, { 'ca.crt': 'PEM' });
    await house.client.delete(kinds.serviceAccount, account);
    const value = { data: { 'ca.crt': 'forged' } };
    await house.client.patch(kinds.configMap, certificate, { type: 'merge', value });
    await house.settle();
    const second = await house.find(kinds.serviceAccount, account);
    assert.ok(second && second.metadata.uid !== first?.metadata.uid);
    assert.deepEqual((await house.find(kinds.configMap, certificate))?.data, { 'ca.crt': 'PEM' });
  });

  test('writes as kube-controller-manager does', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'harbour' } });
    await house.settle();
    const managers = async (kind: Kind, name: string): Promise<unknown[]> => {
      const { managedFields = [] } = (await house.client.get(kind, { namespace: 'harbour', name })).metadata;
      return managedFields.map(({ manager, operation }) => [manager, operation]);
    };
    assert.deepEqual(await managers(kinds.configMap, 'kube-root-ca.crt'), [['kube-controller-manager', 'Update']]);
    // An account has no field that anybody owns.
    assert.deepEqual(await managers(kinds.serviceAccount, 'default'), []);
  });

  test('fills secrets that ask for a token, and removes them with the account', async () => {
    const key = { namespace: 'default', name: 'key' };
    await house.create(kinds.serviceAccount, { metadata: { namespace: 'default', name: 'bot' } });
    const annotations = { 'kubernetes.io/service-account.name': 'bot' };
    await house.create(kinds.secret, {
      metadata: { ...key, annotations },
      type: 'kubernetes.io/service-account-token',
    });
    await house.settle();
    const { token = '' } = (await house.find(kinds.secret, key))?.data ?? {};
    assert.equal(Buffer.from(token, 'base64').toString('utf8'), 'bot:key');
    await house.client.delete(kinds.serviceAccount, { namespace: 'default', name: 'bot' });
    await house.settle();
    assert.equal(await house.find(kinds.secret, key), undefined);
  });

  test('takes a token that is deleted off the list of its account, and nothing else', async () => {
    const annotations = { 'kubernetes.io/service-account.name': 'purser' };
    const secrets = [{ name: 'kept' }, { name: 'lost' }, { name: 'yet-to-come' }];
    const account = { namespace: 'default', name: 'purser' };
    const token = (name: string) =>
      house.create(kinds.secret, {
        metadata: { namespace: 'default', name, annotations },
        type: 'kubernetes.io/service-account-token',
      });
    await house.create(kinds.serviceAccount, { metadata: account, secrets });
    await house.create(kinds.serviceAccount, { metadata: { namespace: 'default', name: 'mate' }, secrets });
    await token('kept');
    await token('lost');
    await house.settle();
    await house.client.delete(kinds.secret, { namespace: 'default', name: 'lost' });
    await house.settle();
    const after = await house.find(kinds.serviceAccount, account);
    assert.deepEqual(after?.secrets, [{ name: 'kept' }, { name: 'yet-to-come' }]);
    const other = await house.find(kinds.serviceAccount, { namespace: 'default', name: 'mate' });
    assert.deepEqual(other?.secrets, secrets);
  });

  test('makes roles of roles', async () => {
    const matchLabels = { 'for-sailors': 'true' };
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    await house.create(kinds.clusterRole, {
      metadata: { name: 'sailor' },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
    });
    await house.create(kinds.clusterRole, { metadata: { name: 'look-out', labels: matchLabels }, rules });
    await house.settle();
    assert.deepEqual((await house.find(kinds.clusterRole, { name: 'sailor' }))?.rules, rules);
    await house.client.delete(kinds.clusterRole, { name: 'look-out' });
    await house.settle();
    assert.deepEqual((await house.find(kinds.clusterRole, { name: 'sailor' }))?.rules ?? [], []);
  });

  test('keeps a claim while a pod uses it', async () => {
    const key = { namespace: 'default', name: 'hold' };
    await house.create(kinds.claim, {
      metadata: key,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await house.create(kinds.pod, {
      metadata: { namespace: 'default', name: 'boat' },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'i' }],
        volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'hold' } }],
      },
    });
    await house.client.delete(kinds.claim, key);
    await house.settle();
    assert.ok(await house.find(kinds.claim, key));
    await house.client.delete(kinds.pod, { namespace: 'default', name: 'boat' }, { gracePeriodSeconds: 0 });
    await house.settle();
    assert.equal(await house.find(kinds.claim, key), undefined);
  });

  test('forgets events an hour after they last changed', async () => {
    const event = (name: string): Promise<KubeObject> =>
      house.create(kinds.event, {
        metadata: { namespace: 'default', name },
        involvedObject: { kind: 'Pod', namespace: 'default', name: 'boat' },
        reason: 'Sank',
        type: 'Normal',
      });
    await event('once');
    await event('twice');
    await house.clock.advance(hourMs / 2);
    const value = { count: 2 };
    await house.client.patch(kinds.event, { namespace: 'default', name: 'twice' }, { type: 'merge', value });
    await house.clock.advance(hourMs / 2 + 30_000);
    assert.deepEqual(await namesOf(house, kinds.event), ['twice']);
    await house.clock.advance(hourMs / 2);
    assert.deepEqual(await namesOf(house, kinds.event), []);
  });
});
