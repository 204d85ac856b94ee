import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { memberClusters, works } from '@flotilla/api';
import { connect, type Client } from '@flotilla/client';
import { startServer } from '@flotilla/fleet';
import { administrator, configMaps, type Kind } from '@flotilla/kube';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

const environment = {};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function until(client: Client, kind: Kind, isThere: (name: string) => boolean): Promise<void> {
  const ending = new AbortController();
  for await (const { object } of client.watch(kind, { resourceVersion: '0', signal: ending.signal })) {
    if (isThere(object.metadata.name ?? '')) ending.abort();
  }
}

async function createWork(hub: Client, name: string): Promise<void> {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  await hub.create(works, {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name, namespace: 'fleet-member-sea' },
    spec: { workload: { manifests: [manifest] } },
  });
}

describe('a hub that was killed and restored elsewhere', { timeout: 180_000 }, () => {
  const scratch = new Scratch();
  const ends: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const end of ends.toReversed()) await end();
    scratch[Symbol.dispose]();
  });

  test('is trusted by agents, which continue without joining again', async () => {
    const [first, second, file] = [scratch.file('first'), scratch.file('second'), scratch.file('backup')];
    const port = String(await freePort());
    const member = await startServer();
    ends.push(() => member.stop());
    const ofMember = await member.clientAs(administrator);
    ends.push(() => ofMember.close());
    writeFileSync(scratch.file('member'), member.kubeconfig);
    const hub = await startCommand(['hub', '--data-dir', first, '--port', port], 'Ready at ');
    ends.push(() => hub.stop('SIGKILL'));

    const access = ['--kubeconfig', `${first}/kubeconfig`, '--write-kubeconfig', scratch.file('sea')];
    assert.equal((await runFlotilla(['join', 'sea', ...access])).code, 0);
    const ofAgent = ['--hub-kubeconfig', scratch.file('sea'), '--hub-context', 'hub'];
    const agent = await startCommand(
      ['agent', '--name', 'sea', ...ofAgent, '--member-kubeconfig', scratch.file('member')],
      'sea has joined the fleet.',
    );
    ends.push(() => agent.stop());
    const owner = await connect({ kubeconfig: `${first}/kubeconfig`, context: 'hub', environment });
    await createWork(owner, 'before');
    await until(ofMember, configMaps, (name) => name === 'before');
    await owner.close();

    const backup = await runFlotilla(['backup', file, '--data-dir', first]);
    assert.equal(backup.code, 0, backup.stderr);
    await hub.stop('SIGKILL');
    assert.equal((await runFlotilla(['restore', file, '--data-dir', second])).code, 0);
    const restored = await startCommand(['hub', '--data-dir', second, '--port', port], 'Ready at ');
    ends.push(() => restored.stop());

    // The kubeconfig of the first hub works for the second, and the agent applies Works of the second.
    const again = await connect({ kubeconfig: `${first}/kubeconfig`, context: 'hub', environment });
    ends.push(() => again.close());
    assert.deepEqual(
      (await again.list(memberClusters)).items.map(({ metadata }) => metadata.name),
      ['sea'],
    );
    await createWork(again, 'after');
    await until(ofMember, configMaps, (name) => name === 'after');
    assert.equal(agent.child.exitCode, null);
  });
});
