/** ReplicaSets and ReplicationControllers on a real server in memory; the test acts as scheduler and kubelet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { apiVersionOf, controllerManager, events, type JsonObject, type Kind } from '@flotilla/kube';
import { ManualClock, settle, startTestServer } from '@flotilla/testkit';
import { kinds, type Pod, type ReplicaSet } from '../kinds.ts';
import { startSimulator, type RunningSimulator } from '../start-simulator.ts';

const twins: readonly [Kind<ReplicaSet>, (app: string) => JsonObject][] = [
  [kinds.replicaSet, (app) => ({ matchLabels: { app } })],
  [kinds.replicationController, (app) => ({ app })],
];

for (const [kind, selector] of twins) {
  describe(`a ${kind.kind}`, () => {
    const clock = new ManualClock();
    let client: Client;
    let simulator: RunningSimulator;
    let stop: () => Promise<void>;

    before(async () => {
      const server = await startTestServer({ clock });
      client = server.connect({ user: controllerManager });
      simulator = await startSimulator({ client, clock, random: () => 0.5, runsPods: false });
      stop = async () => {
        await simulator.stop();
        await server.stop();
      };
    });
    after(() => stop());

    const atRest = () => settle(clock, simulator.isAtRest, { stepMs: 1 });
    const create = async (name: string, replicas: number): Promise<void> => {
      const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
      const metadata = { name, namespace: 'default' };
      const spec = { replicas, selector: selector(name), template };
      await client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec });
      await atRest();
    };
    const scale = async (name: string, replicas: number): Promise<void> => {
      await client.patch(kind, { name, namespace: 'default' }, { type: 'merge', value: { spec: { replicas } } });
      await atRest();
    };
    const podsOf = async (app: string): Promise<readonly Pod[]> =>
      (await client.list(kinds.pod, { namespace: 'default', labelSelector: `app=${app}` })).items;
    const key = (name: string) => ({ name, namespace: 'default' });
    const statusOf = async (name: string) => (await client.get(kind, { name, namespace: 'default' })).status;

    test('has as many pods as it wants, each with its name, labels and owner', async () => {
      await create('web', 3);
      const pods = await podsOf('web');
      assert.equal(pods.length, 3);
      for (const { metadata } of pods) {
        assert.match(metadata.name ?? '', /^web-[bcdfghjklmnpqrstvwxz2-9]{5}$/);
        assert.equal(metadata.generateName, 'web-');
        assert.deepEqual(
          metadata.ownerReferences?.map(({ kind: owner, name }) => `${owner} ${name}`),
          [`${kind.kind} web`],
        );
      }
      assert.equal((await statusOf('web'))?.replicas, 3);
      const { items } = await client.list(events, { namespace: 'default' });
      const created = items.filter(({ reason }) => reason === 'SuccessfulCreate').map(({ message }) => message);
      assert.deepEqual(new Set(created), new Set(pods.map(({ metadata }) => `Created pod: ${metadata.name}`)));
    });

    test('replaces a pod that is gone, and deletes those that are too many, those without a node first', async () => {
      await create('few', 2);
      const [first, second] = await podsOf('few');
      assert.ok(first !== undefined && second !== undefined);
      await client.delete(kinds.pod, { namespace: 'default', name: first.metadata.name ?? '' });
      await atRest();
      assert.equal((await podsOf('few')).length, 2);
      const target = { kind: 'Node', name: 'somewhere' };
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { ...second.metadata }, target };
      await client.create(kinds.pod, binding, { subresource: 'binding' });
      await scale('few', 1);
      const kept = (await podsOf('few')).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      assert.deepEqual(
        kept.map(({ metadata }) => metadata.name),
        [second.metadata.name],
      );
    });

    test('replaces pods one after another, even if its status stays the same', async () => {
      await create('again', 3);
      for (const pod of await podsOf('again')) {
        await client.delete(kinds.pod, key(pod.metadata.name ?? ''));
        await atRest();
        assert.equal((await podsOf('again')).length, 3);
      }
    });

    test('adopts a pod that it selects, and releases one that it no longer selects', async () => {
      const spec = { containers: [{ name: 'web', image: 'nginx' }] };
      const metadata = { name: 'alone', namespace: 'default', labels: { app: 'family' } };
      await client.create(kinds.pod, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      await create('family', 2);
      const ownersOf = async (name: string) =>
        (await client.get(kinds.pod, { namespace: 'default', name })).metadata.ownerReferences?.map(
          ({ name: owner }) => owner,
        );
      assert.deepEqual(await ownersOf('alone'), ['family']);
      assert.equal((await podsOf('family')).length, 2);
      const value = { metadata: { labels: { app: 'elsewhere' } } };
      await client.patch(kinds.pod, { namespace: 'default', name: 'alone' }, { type: 'merge', value });
      await atRest();
      assert.equal(await ownersOf('alone'), undefined);
      assert.equal((await podsOf('family')).length, 2);
    });

    test('reports pods that a quota refuses, and creates them when the quota allows it', async () => {
      const quotas: Kind = {
        group: '',
        version: 'v1',
        kind: 'ResourceQuota',
        plural: 'resourcequotas',
        namespaced: true,
      };
      const allow = async (pods: string): Promise<void> => {
        const used = { pods: String((await client.list(kinds.pod, { namespace: 'default' })).items.length) };
        const value = { status: { hard: { pods }, used } };
        await client.patch(quotas, key('q'), { type: 'merge', value }, { subresource: 'status' });
      };
      const object = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: key('q'), spec: { hard: { pods: '100' } } };
      await client.create(quotas, object);
      const { length: before } = (await client.list(kinds.pod, { namespace: 'default' })).items;
      await allow(String(before + 2));
      await create('limited', 3);
      assert.equal((await podsOf('limited')).length, 2);
      const [condition] = (await statusOf('limited'))?.conditions ?? [];
      assert.deepEqual([condition?.type, condition?.reason], ['ReplicaFailure', 'FailedCreate']);
      assert.match(
        String(condition?.['message']),
        /^pods "limited-\w{5}" is forbidden: exceeded quota: q, requested: pods=1/,
      );
      await allow('100');
      await clock.advance(60_000);
      await atRest();
      assert.equal((await podsOf('limited')).length, 3);
      assert.deepEqual((await statusOf('limited'))?.conditions ?? [], []);
      await client.delete(quotas, key('q'));
    });
  });
}
