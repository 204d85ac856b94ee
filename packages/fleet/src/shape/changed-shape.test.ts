/** A fleet in a data directory, started with one file after another. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { memberClusters, memberNamespace } from '@flotilla/api';
import { apiVersionOf, configMaps, isNotFound, namespaces, nodes, type KubeObject } from '@flotilla/kube';
import { configMap } from '@flotilla/testkit';
import { parseFleetFile } from '../file/parse-fleet-file.ts';
import { startFleet, type RunningFleet, type StartFleetOptions } from '../start-fleet.ts';

const first = `
hub: { context: centre }
members:
- { name: oslo, context: north, labels: { env: prod, tier: a }, heartbeat: 15s }
- { name: rome, labels: { env: prod } }
`;

const second = `
hub: { context: centre }
members:
- { name: oslo, context: north, labels: { env: prod, tier: b }, taints: [{ key: full }], heartbeat: 30s, nodes: [{ count: 2, cpu: 8 }] }
- { name: bern }
`;

function capacityOf({ status }: KubeObject): Record<string, string> {
  return (status as { readonly capacity: Record<string, string> }).capacity;
}

describe('a fleet in a data directory', () => {
  let dataDirectory: string;
  let fleet: RunningFleet | undefined;
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-shape-'));
  });
  after(async () => {
    await fleet?.stop();
    await rm(dataDirectory, { recursive: true });
  });

  async function restart(options: StartFleetOptions = {}): Promise<RunningFleet> {
    await fleet?.stop();
    fleet = undefined;
    return (fleet = await startFleet({ dataDirectory, ...options }));
  }

  function fromFile(text: string): StartFleetOptions {
    return { shape: parseFleetFile(text, { name: 'fleet.yaml' }) };
  }

  async function memberCluster(name: string) {
    const hub = await fleet!.hub.client();
    return hub.get(memberClusters, { name }).finally(() => hub.close());
  }

  test('starts with the shape of its file', async () => {
    const { accesses } = await restart(fromFile(first));
    assert.deepEqual(
      accesses.map(({ name }) => name),
      ['centre', 'north', 'rome'],
    );
    const { metadata, spec } = await memberCluster('oslo');
    assert.deepEqual([metadata.labels?.['tier'], spec.heartbeatPeriodSeconds], ['a', 15]);
  });

  test('keeps its shape without a file, and what users have changed', async () => {
    const hub = await fleet!.hub.client();
    const labels = { env: 'test', own: 'yes' };
    await hub.patch(memberClusters, { name: 'oslo' }, { type: 'merge', value: { metadata: { labels } } });
    await hub.close();
    const member = fleet!.members.get('oslo')!.client();
    await member.patch(nodes, { name: 'node-1' }, { type: 'merge', value: { metadata: { labels: { own: 'yes' } } } });
    await member.close();
    const { shape, accesses } = await restart();
    assert.deepEqual(shape, parseFleetFile(first, { name: 'fleet.yaml' }));
    assert.equal(accesses[1]?.name, 'north');
    const { env, own, tier } = (await memberCluster('oslo')).metadata.labels ?? {};
    assert.deepEqual([env, own, tier], ['test', 'yes', 'a']);
  });

  test('is not replaced by a number of members', async () => {
    await fleet?.stop();
    fleet = undefined;
    await assert.rejects(startFleet({ dataDirectory, members: 2 }), { name: 'UnusableShape' });
  });

  test('changes with its file: members join, leave, and get what the file has changed', async () => {
    const rome = (await restart()).members.get('rome')!.client();
    await rome.create(configMaps, configMap('kept'));
    await rome.close();
    const steps: string[] = [];
    const changed = await restart({
      ...fromFile(second),
      progress: (step) => void ('member' in step && steps.push(`${step.member} ${step.membership}`)),
    });
    assert.deepEqual([...changed.members.keys()].sort(), ['bern', 'oslo']);
    const { metadata, spec } = await memberCluster('oslo');
    const { env, own, tier } = metadata.labels ?? {};
    assert.deepEqual([env, own, tier], ['test', 'yes', 'b']);
    assert.deepEqual([spec.taints, spec.heartbeatPeriodSeconds], [[{ key: 'full', effect: 'NoSchedule' }], 30]);
    const oslo = changed.members.get('oslo')!.client();
    const { items } = await oslo.list(nodes).finally(() => oslo.close());
    assert.deepEqual(
      items.map((node) => [node.metadata.name, node.metadata.labels?.['own'], capacityOf(node)['cpu']]),
      [
        ['node-1', 'yes', '8'],
        ['node-2', undefined, '8'],
      ],
    );
    await changed.othersLeft;
    assert.deepEqual(steps, ['rome left']);
    await assert.rejects(memberCluster('rome'), isNotFound);
  });

  test('continues a start that failed in the middle', async () => {
    const third = `${second}- { name: cork, labels: { env: prod } }\n`;
    const hub = await fleet!.hub.client();
    const identity = { kind: 'ServiceAccount', name: 'other', namespace: 'fleet-system' };
    const metadata = { name: 'cork' };
    const spec = { identity, heartbeatPeriodSeconds: 60 };
    await hub.create(memberClusters, {
      apiVersion: apiVersionOf(memberClusters),
      kind: 'MemberCluster',
      metadata,
      spec,
    });
    await hub.close();
    await assert.rejects(restart(fromFile(third)), { name: 'MemberHasOtherIdentity' });
    // It belongs to another agent, so that the fleet neither changes it nor deletes it.
    const old = await restart(fromFile(second));
    await old.othersLeft;
    assert.equal((await memberCluster('cork')).metadata.labels?.['env'], undefined);
    const owner = await old.hub.client();
    await owner.delete(memberClusters, metadata);
    await owner.patch(memberClusters, metadata, { type: 'merge', value: { metadata: { finalizers: null } } });
    await owner.close();
    await restart(fromFile(third));
    assert.equal((await memberCluster('cork')).metadata.labels?.['env'], 'prod');
    await restart(fromFile(second));
    await fleet!.othersLeft;
    await assert.rejects(memberCluster('cork'), isNotFound);
  });

  test('gives a member that returns its cluster as it was', async () => {
    const { members } = await restart(fromFile(first));
    const rome = members.get('rome')!.client();
    assert.equal((await rome.get(configMaps, { name: 'kept', namespace: 'default' })).metadata.name, 'kept');
    await rome.close();
    await fleet!.othersLeft;
    const hub = await fleet!.hub.client();
    const found = await hub.get(namespaces, { name: memberNamespace('bern') }).catch(() => undefined);
    assert.ok(found === undefined || found.metadata.deletionTimestamp !== undefined);
    await hub.close();
  });

  test('lets a member leave after a restart that came too soon', async () => {
    await restart(fromFile(first));
    await fleet!.othersLeft;
    await restart(fromFile(second));
    const { othersLeft } = await restart();
    await othersLeft;
    await assert.rejects(memberCluster('rome'), isNotFound);
    const hub = await fleet!.hub.client();
    const { data } = await hub.get(configMaps, { name: 'flotilla-fleet', namespace: 'fleet-system' });
    assert.deepEqual(Object.keys(data ?? {}), ['fleet.yaml']);
    await hub.close();
  });

  test('explains a stored file that a user has broken, and starts with another', async () => {
    const hub = await fleet!.hub.client();
    const key = { name: 'flotilla-fleet', namespace: 'fleet-system' };
    await hub.patch(configMaps, key, { type: 'merge', value: { data: { 'fleet.yaml': 'members: 5', leaving: '{' } } });
    await hub.close();
    await assert.rejects(restart(), { name: 'UnusableShape', message: /\nfleet\.yaml:1: members: 5 is not a list$/ });
    const { members } = await restart(fromFile(second));
    assert.deepEqual([...members.keys()], ['oslo', 'bern']);
  });
});
