import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberClusters, memberNamespace, works } from '@flotilla/api';
import { apiVersionOf, configMaps, type Kind, type KubeObject } from '@flotilla/kube';
import { configMap, startTestFleet, type TestFleet } from '@flotilla/testkit';
import type { RunningMember } from '../start-member.ts';
import { noFaults, parseFaults } from './member-faults.ts';

const minute = 60_000;
const replicaSets: Kind = { group: 'apps', version: 'v1', kind: 'ReplicaSet', plural: 'replicasets', namespaced: true };

describe('a member with faults', () => {
  let fleet: TestFleet;
  let member: RunningMember;
  let count = 0;

  before(async () => {
    fleet = await startTestFleet({ members: ['oslo'] });
    member = fleet.running.members.get('oslo')!;
  });
  after(() => fleet.stop());

  const set = (text: string): Promise<void> => fleet.clock.advanceUntil(member.setFaults(parseFaults(text)));
  const lift = async (): Promise<void> => {
    await set('none');
    // The longest back-off of an informer is 45 seconds.
    await fleet.clock.advance(minute);
    await fleet.settle();
  };

  /** A ConfigMap that a new Work places on the member. */
  async function place(): Promise<KubeObject | undefined> {
    const name = await createWork();
    await fleet.clock.advance(10_000);
    return placed(name);
  }

  async function createWork(): Promise<string> {
    const name = `crate-${++count}`;
    const metadata = { name, namespace: memberNamespace('oslo') };
    const workload = { manifests: [configMap(name)] };
    await fleet.hub.create(works, { apiVersion: apiVersionOf(works), kind: works.kind, metadata, spec: { workload } });
    return name;
  }

  function placed(name: string): Promise<KubeObject | undefined> {
    return member
      .client()
      .get(configMaps, { namespace: 'default', name })
      .catch(() => undefined);
  }

  async function lastHeartbeat(): Promise<string | undefined> {
    const { status } = await fleet.hub.get(memberClusters, { name: 'oslo' });
    return status?.agentStatus?.[0]?.lastReceivedHeartbeat;
  }

  test('that is partitioned lives on its own, and catches up later', async () => {
    await set('partition');
    const before = await lastHeartbeat();
    const name = await createWork();
    await fleet.clock.advance(3 * minute);
    assert.equal(await lastHeartbeat(), before);
    assert.equal(await placed(name), undefined);
    await member.client().create(configMaps, configMap('made-here'));
    await lift();
    assert.ok(await placed(name));
    assert.ok((await lastHeartbeat())! > before!);
  });

  test('that is stopped answers with 503, ends watches, and has its objects when it starts', async () => {
    await member.client().create(configMaps, configMap('kept'));
    const client = member.client();
    const signal = new AbortController().signal;
    const watched = Array.fromAsync(client.watch(configMaps, { resourceVersion: '0', signal }), ({ type }) => type);
    await fleet.clock.advance(100);
    await set('stop');
    assert.ok((await watched).includes('ADDED'));
    const get = (): Promise<KubeObject> => client.get(configMaps, { namespace: 'default', name: 'kept' });
    await assert.rejects(get(), { code: 503, message: 'the cluster oslo is stopped' });
    assert.ok(member.isAtRest());
    const before = await lastHeartbeat();
    await fleet.clock.advance(3 * minute);
    assert.equal(await lastHeartbeat(), before);
    await lift();
    assert.equal((await get()).metadata.name, 'kept');
    assert.ok(await place());
  });

  test('that is slow applies a Work later by the time of its requests', async () => {
    await set('slow 2s');
    const name = await createWork();
    await fleet.clock.advance(1900);
    assert.equal(await placed(name), undefined);
    await fleet.clock.advance(20_000);
    assert.ok(await placed(name));
    await lift();
  });

  test('whose API server fails often still applies its Works', async () => {
    await set('fail api 60%');
    const failed: number[] = [];
    for (let at = 0; at < 100; at++) {
      const sent = member.client().create(configMaps, configMap(`sent-${at}`));
      await fleet.clock.advanceUntil(sent).catch(({ code }: { code: number }) => failed.push(code));
    }
    // The client retries after 429, so half of the failures are left, and those of its retries.
    assert.ok(failed.length > 30 && failed.length < 70 && failed.every((code) => code === 500), `${failed.length}`);
    const name = await createWork();
    await fleet.clock.advance(5 * minute);
    await lift();
    assert.ok(await placed(name));
  });

  test('whose agent crashes reports heartbeats only now and then', async () => {
    await set('fail agent');
    const seen = new Set<string | undefined>();
    for (let at = 0; at < 60; at++) {
      await fleet.clock.advance(10_000);
      seen.add(await lastHeartbeat());
    }
    assert.ok(seen.size > 2 && seen.size < 8, `${seen.size} in 10 minutes`);
    await lift();
    assert.ok(await place());
  });

  test('whose webhook refuses has Works that are not applied, with the reason', async () => {
    await set('fail webhook');
    const create = member.client().create(configMaps, configMap('refused'));
    await assert.rejects(create, { code: 403, message: /^admission webhook "[^"]+" denied the request: .*/ });
    const name = await createWork();
    await fleet.clock.advance(minute);
    const { status } = await fleet.hub.get(works, { name, namespace: memberNamespace('oslo') });
    assert.match(JSON.stringify(status?.manifestConditions), /denied the request/);
    await lift();
    await fleet.clock.advance(10 * minute);
    assert.ok(await placed(name));
  });

  /** Creates a ReplicaSet of two pods. The returned function settles and counts those that are ready. */
  async function createReplicaSet(app: string): Promise<() => Promise<number>> {
    const labels = { app };
    const template = { metadata: { labels }, spec: { containers: [{ name: app, image: 'nginx' }] } };
    const metadata = { name: app, namespace: 'default' };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template };
    await member.client().create(replicaSets, { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec });
    return async () => {
      await fleet.settle();
      const { status } = await member.client().get(replicaSets, metadata);
      return (status as { readyReplicas?: number }).readyReplicas ?? 0;
    };
  }

  test('whose workloads fail has pods that are not ready, until it starts again', async () => {
    const ready = await createReplicaSet('till');
    assert.equal(await ready(), 2);
    await set('fail workloads');
    assert.equal(await ready(), 0);
    await lift();
    assert.equal(await ready(), 2);
  });

  test('whose clock is wrong gives its objects wrong times', async () => {
    await set('fail clock -1h');
    const { metadata } = await member.client().create(configMaps, configMap('dated'));
    const ageMs = fleet.clock.now() - Date.parse(metadata.creationTimestamp!);
    assert.equal(Math.round(ageMs / minute), 60);
    await lift();
  });

  test('whose clock was ahead has pods that recover at once, although they seem to start in the future', async () => {
    await set('fail clock +1h');
    const ready = await createReplicaSet('early');
    assert.equal(await ready(), 2);
    await set('fail workloads');
    assert.equal(await ready(), 0);
    await lift();
    assert.equal(await ready(), 2);
  });

  test('may have all of them at once, and recovers', async () => {
    await set('partition, slow 300ms, fail workloads, fail api 30%, fail agent, fail webhook, fail clock +5m');
    await fleet.clock.advance(5 * minute);
    await lift();
    await fleet.clock.advance(5 * minute);
    assert.deepEqual(member.faults(), noFaults);
    assert.ok(await place());
  });
});
