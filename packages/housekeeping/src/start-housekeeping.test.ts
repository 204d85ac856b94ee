import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kind, KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from './kinds.ts';
import { namesOf } from './objects.testing.ts';

const hourMs = 3_600_000;

for (const sleepsWithoutObjects of [false, true])
  describe(`a server with housekeeping${sleepsWithoutObjects ? ' that sleeps without objects' : ''}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTestServer({ housekeeping: { sleepsWithoutObjects } });
    });
    after(() => server.stop());

    test('writes nothing while no object changes', async () => {
      const { resourceVersion } = await server.client.list(kinds.namespace);
      await server.clock.advance(2 * hourMs);
      assert.equal((await server.client.list(kinds.namespace)).resourceVersion, resourceVersion);
    });

    test('creates an account and the certificate in every namespace, and restores them', async () => {
      const account = { namespace: 'sea', name: 'default' };
      const certificate = { namespace: 'sea', name: 'kube-root-ca.crt' };
      await server.create(kinds.namespace, { metadata: { name: 'sea' } });
      await server.settle();
      const first = await server.find(kinds.serviceAccount, account);
      assert.deepEqual((await server.find(kinds.configMap, certificate))?.data, { 'ca.crt': 'PEM' });
      await server.client.delete(kinds.serviceAccount, account);
      const value = { data: { 'ca.crt': 'forged' } };
      await server.client.patch(kinds.configMap, certificate, { type: 'merge', value });
      await server.settle();
      const second = await server.find(kinds.serviceAccount, account);
      assert.ok(second && second.metadata.uid !== first?.metadata.uid);
      assert.deepEqual((await server.find(kinds.configMap, certificate))?.data, { 'ca.crt': 'PEM' });
    });

    test('writes with the field manager kube-controller-manager', async () => {
      await server.create(kinds.namespace, { metadata: { name: 'harbour' } });
      await server.settle();
      const managers = async (kind: Kind, name: string): Promise<unknown[]> => {
        const { managedFields = [] } = (await server.client.get(kind, { namespace: 'harbour', name })).metadata;
        return managedFields.map(({ manager, operation }) => [manager, operation]);
      };
      assert.deepEqual(await managers(kinds.configMap, 'kube-root-ca.crt'), [['kube-controller-manager', 'Update']]);
      // An account has no field that a manager could own.
      assert.deepEqual(await managers(kinds.serviceAccount, 'default'), []);
    });

    test('fills token secrets, and deletes them with their account', async () => {
      const key = { namespace: 'default', name: 'key' };
      await server.create(kinds.serviceAccount, { metadata: { namespace: 'default', name: 'bot' } });
      const annotations = { 'kubernetes.io/service-account.name': 'bot' };
      await server.create(kinds.secret, {
        metadata: { ...key, annotations },
        type: 'kubernetes.io/service-account-token',
      });
      await server.settle();
      const { token = '' } = (await server.find(kinds.secret, key))?.data ?? {};
      assert.equal(Buffer.from(token, 'base64').toString('utf8'), 'bot:key');
      await server.client.delete(kinds.serviceAccount, { namespace: 'default', name: 'bot' });
      await server.settle();
      assert.equal(await server.find(kinds.secret, key), undefined);
    });

    test('removes only the reference to a deleted token secret from its account', async () => {
      const annotations = { 'kubernetes.io/service-account.name': 'purser' };
      const secrets = [{ name: 'kept' }, { name: 'lost' }, { name: 'yet-to-come' }];
      const account = { namespace: 'default', name: 'purser' };
      const token = (name: string) =>
        server.create(kinds.secret, {
          metadata: { namespace: 'default', name, annotations },
          type: 'kubernetes.io/service-account-token',
        });
      await server.create(kinds.serviceAccount, { metadata: account, secrets });
      await server.create(kinds.serviceAccount, { metadata: { namespace: 'default', name: 'mate' }, secrets });
      await token('kept');
      await token('lost');
      await server.settle();
      await server.client.delete(kinds.secret, { namespace: 'default', name: 'lost' });
      await server.settle();
      const after = await server.find(kinds.serviceAccount, account);
      assert.deepEqual(after?.secrets, [{ name: 'kept' }, { name: 'yet-to-come' }]);
      const other = await server.find(kinds.serviceAccount, { namespace: 'default', name: 'mate' });
      assert.deepEqual(other?.secrets, secrets);
    });

    test('aggregates roles', async () => {
      const matchLabels = { 'for-sailors': 'true' };
      const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
      await server.create(kinds.clusterRole, {
        metadata: { name: 'sailor' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
      });
      await server.create(kinds.clusterRole, { metadata: { name: 'look-out', labels: matchLabels }, rules });
      await server.settle();
      assert.deepEqual((await server.find(kinds.clusterRole, { name: 'sailor' }))?.rules, rules);
      await server.client.delete(kinds.clusterRole, { name: 'look-out' });
      await server.settle();
      assert.deepEqual((await server.find(kinds.clusterRole, { name: 'sailor' }))?.rules ?? [], []);
    });

    test('keeps a claim while a pod uses it', async () => {
      const key = { namespace: 'default', name: 'hold' };
      await server.create(kinds.claim, {
        metadata: key,
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      await server.create(kinds.pod, {
        metadata: { namespace: 'default', name: 'boat' },
        spec: {
          nodeName: 'n1',
          containers: [{ name: 'c', image: 'i' }],
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'hold' } }],
        },
      });
      await server.client.delete(kinds.claim, key);
      await server.settle();
      assert.ok(await server.find(kinds.claim, key));
      await server.client.delete(kinds.pod, { namespace: 'default', name: 'boat' }, { gracePeriodSeconds: 0 });
      await server.settle();
      assert.equal(await server.find(kinds.claim, key), undefined);
    });

    test('keeps a VolumeAttributesClass while a claim uses it', async () => {
      const key = { name: 'fast' };
      const claim = { namespace: 'default', name: 'quick' };
      await server.create(kinds.volumeAttributesClass, {
        metadata: key,
        driverName: 'disks.test',
        parameters: { a: 'b' },
      });
      await server.create(kinds.claim, {
        metadata: claim,
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          volumeAttributesClassName: 'fast',
        },
      });
      await server.client.delete(kinds.volumeAttributesClass, key);
      await server.settle();
      assert.ok(await server.find(kinds.volumeAttributesClass, key));
      await server.client.delete(kinds.claim, claim);
      await server.settle();
      assert.equal(await server.find(kinds.volumeAttributesClass, key), undefined);
    });

    test('deletes events an hour after their last change', async () => {
      const event = (name: string): Promise<KubeObject> =>
        server.create(kinds.event, {
          metadata: { namespace: 'default', name },
          involvedObject: { kind: 'Pod', namespace: 'default', name: 'boat' },
          reason: 'Sank',
          type: 'Normal',
        });
      await event('once');
      await event('twice');
      await server.clock.advance(hourMs / 2);
      const value = { count: 2 };
      await server.client.patch(kinds.event, { namespace: 'default', name: 'twice' }, { type: 'merge', value });
      await server.clock.advance(hourMs / 2 + 30_000);
      assert.deepEqual(await namesOf(server, kinds.event), ['twice']);
      await server.clock.advance(hourMs / 2);
      assert.deepEqual(await namesOf(server, kinds.event), []);
    });
  });
