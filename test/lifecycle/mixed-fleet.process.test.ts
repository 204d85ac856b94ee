/** Simulated members beside a real one: a server of its own, reached over sockets by an agent in a process of its own. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { clusterResourcePlacements } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet, startServer, type RunningFleet, type RunningServer } from '@flotilla/fleet';
import { administrator, configMaps, type KubeObject } from '@flotilla/kube';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

const example = join(resolve(import.meta.dirname, '../..'), 'examples/pick-all/placement.yaml');
const watching = { resourceVersion: '0', signal: new AbortController().signal };
const placed = { namespace: 'everywhere', name: 'settings' };

describe('a fleet of simulated members and a real one', { timeout: 120_000 }, () => {
  const scratch = new Scratch();
  const [hubFile, seaFile, memberFile] = [scratch.file('hub'), scratch.file('sea'), scratch.file('member')];
  let fleet: RunningFleet;
  let server: RunningServer;
  let onHub: Client;
  let onSea: Client;
  let agent: Awaited<ReturnType<typeof startCommand>> | undefined;
  before(async () => {
    [fleet, server] = await Promise.all([startFleet({ members: 2 }), startServer({ memory: true })]);
    [onHub, onSea] = await Promise.all([fleet.hub.client(), server.clientAs(administrator)]);
    writeFileSync(hubFile, fleet.kubeconfig);
    writeFileSync(memberFile, server.kubeconfig);
  });
  after(async () => {
    await agent?.stop();
    await Promise.all([onHub.close(), onSea.close()]);
    await Promise.all([fleet.stop(), server.stop()]);
    scratch[Symbol.dispose]();
  });

  async function flotilla(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runFlotilla([...args, '--kubeconfig', hubFile]);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    return stdout;
  }

  test('applies a placement on all of them, and on the others when the real one has left', async () => {
    await flotilla('apply', '-f', example);
    await untilAvailableOn(['member-1', 'member-2']);

    await flotilla('join', 'sea', '--write-kubeconfig', seaFile);
    const access = ['--hub-kubeconfig', seaFile, '--member-kubeconfig', memberFile];
    agent = await startCommand(['agent', '--name', 'sea', ...access], 'sea has joined the fleet.');
    await untilAvailableOn(['member-1', 'member-2', 'sea']);
    assert.equal(await colorOn(onSea), 'blue');

    assert.match(await flotilla('leave', 'sea'), /^sea has left\. Stop its agent\.$/m);
    await untilAvailableOn(['member-1', 'member-2']);
    const { code, stderr } = await agent.stop();
    assert.deepEqual([code, stderr], [0, '']);

    await onHub.patch(configMaps, placed, { type: 'merge', value: { data: { color: 'green' } } });
    await untilGreen('member-1');
    assert.equal(await colorOn(onSea), 'blue', 'what was applied stays, and nothing changes it');
  });

  async function untilAvailableOn(clusters: readonly string[]): Promise<void> {
    for await (const { object } of onHub.watch(clusterResourcePlacements, watching)) {
      const available = (object.status?.placementStatuses ?? []).filter(({ conditions = [] }) =>
        conditions.some(({ type, status }) => type === 'Available' && status === 'True'),
      );
      const names = new Set(available.map(({ clusterName }) => clusterName));
      if (isDeepStrictEqual(names, new Set(clusters))) return;
    }
  }

  async function untilGreen(member: string): Promise<void> {
    const client = fleet.members.get(member)?.client();
    for await (const { object } of client?.watch(configMaps, { ...watching, namespace: placed.namespace }) ?? []) {
      if (object.metadata.name === placed.name && colorOf(object) === 'green') break;
    }
    await client?.close();
  }
});

async function colorOn(client: Client): Promise<unknown> {
  return colorOf(await client.get(configMaps, placed));
}

function colorOf({ data }: KubeObject): unknown {
  return (data as { color?: string } | undefined)?.color;
}
