import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters } from '@flotilla/api';
import { connect, type Client } from '@flotilla/client';
import { parseYaml, type KubeObject } from '@flotilla/kube';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

type Command = Awaited<ReturnType<typeof startCommand>>;

async function untilReadyToJoin(client: Client): Promise<void> {
  const ending = new AbortController();
  for await (const { object } of client.watch(memberClusters, { resourceVersion: '0', signal: ending.signal })) {
    if (object.status?.conditions?.some(({ type, status }) => type === 'ReadyToJoin' && status === 'True'))
      ending.abort();
  }
}

/** Plays the agent: reports that the member has left when the hub asks for it. */
async function reportLeft(member: Client): Promise<void> {
  const ending = new AbortController();
  const options = { namespace: 'fleet-member-sea', resourceVersion: '0', signal: ending.signal };
  for await (const { object } of member.watch(internalMemberClusters, options)) {
    if (object.spec.state !== 'Leave') continue;
    const condition = {
      type: 'Joined',
      status: 'False' as const,
      reason: 'Left',
      message: '',
      lastTransitionTime: new Date().toISOString(),
      observedGeneration: object.metadata.generation ?? 0,
    };
    const agentStatus = [{ type: 'MemberAgent', conditions: [condition] }];
    await member.update(internalMemberClusters, { ...object, status: { agentStatus } }, { subresource: 'status' });
    ending.abort();
  }
}

function kubeconfigOf(server: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'hub', cluster: { server } }],
    users: [{ name: 'hub', user: {} }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'hub' } }],
    'current-context': 'hub',
  };
}

describe('flotilla hub', () => {
  const scratch = new Scratch();
  const data = scratch.file('data');
  const kubeconfig = `${data}/kubeconfig`;
  const environment = {};
  let hub: Command;

  before(async () => {
    hub = await startCommand(['hub', '--data-dir', data, '--port', '0'], 'Ready at ');
  });
  after(async () => {
    await hub.stop();
    scratch[Symbol.dispose]();
  });

  const join = (...more: string[]) =>
    runFlotilla(['join', 'sea', '--kubeconfig', kubeconfig, '--write-kubeconfig', scratch.file('sea'), ...more]);

  test('lets a cluster join, with a token of the requested lifetime', async () => {
    const { code, stdout, stderr } = await join('--duration', '1h');
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^sea can join\. Its token expires at .*\n\nStart its agent:\n {2}flotilla agent --name sea --hub-kubeconfig /,
    );
    // On another machine the folder has another name.
    for (const file of ['sea', 'sea.token']) cpSync(scratch.file(file), scratch.file(`moved/${file}`));
    const member = await connect({ kubeconfig: scratch.file('moved/sea'), context: 'hub', environment });
    const owner = await connect({ kubeconfig, context: 'hub', environment });
    await untilReadyToJoin(owner);
    const internal = await member.get(internalMemberClusters, { namespace: 'fleet-member-sea', name: 'sea' });
    assert.equal(internal.spec.state, 'Join');
    await assert.rejects(member.list(memberClusters), /is forbidden/);
    await Promise.all([member.close(), owner.close()]);
  });

  test('renews only the token if join runs again', async () => {
    const read = (file: string): string => readFileSync(scratch.file(file), 'utf8');
    const before = [read('sea'), read('sea.token')];
    assert.equal((await join()).code, 0);
    assert.deepEqual(JSON.parse(read('sea')), JSON.parse(before[0] ?? ''));
    assert.notEqual(read('sea.token'), before[1]);
  });

  test('prints manifests of an agent in the member, and warns of an address that pods cannot reach', async () => {
    const args = ['join', 'sea', '--kubeconfig', kubeconfig, '--image', 'example.com/agent'];
    const local = await runFlotilla(args);
    assert.equal(local.code, 0, local.stderr);
    assert.match(local.stderr, /^sea can join\. .*\nPods cannot reach https:\/\/127\.0\.0\.1:\d+; .*--server\.\n$/);
    const objects = local.stdout.split('\n---\n').map((text) => parseYaml(text).value as KubeObject);
    assert.equal(
      objects.map(({ kind }) => kind).join(' '),
      'Namespace ServiceAccount ClusterRole ClusterRoleBinding Role RoleBinding Secret Deployment',
    );
    const { stderr } = await runFlotilla([...args, '--server', 'https://hub.example.com']);
    assert.doesNotMatch(stderr, /reach/);
  });

  test('waits for a server that has to be asked again later', async (t) => {
    const asked = Promise.withResolvers<'again'>();
    let requests = 0;
    const server = createServer((_, response) => {
      if (++requests > 1) asked.resolve('again');
      response.writeHead(503, { 'Retry-After': '1', Connection: 'close' }).end();
    });
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const file = scratch.file('busy');
    writeFileSync(file, JSON.stringify(kubeconfigOf(`http://127.0.0.1:${port}`)));
    const attached = await startCommand(['hub', '--kubeconfig', file, '--leader-elect=false'], 'Starting.');
    const { child } = attached;
    const ended = child.exitCode === null ? once(child, 'exit').then(() => 'ended') : 'ended';
    assert.equal(await Promise.race([asked.promise, ended]), 'again');
    await attached.stop();
  });

  test('runs its controllers against an existing server', async () => {
    const attached = await startCommand(
      ['hub', '--kubeconfig', kubeconfig, '--context', 'hub', '--leader-elect=false'],
      "Ready: the hub's controllers are running.",
    );
    const { code, stderr } = await attached.stop();
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('refuses options that contradict each other or are out of range', async () => {
    const both = await runFlotilla(['hub', '--kubeconfig', kubeconfig, '--memory']);
    assert.equal(both.code, 1);
    assert.match(both.stderr, /^flotilla: --memory does not apply with --kubeconfig or --in-cluster\.\n$/);
    const missing = await runFlotilla(['join', 'sea', '--kubeconfig', scratch.file('none'), '--write-kubeconfig', 'x']);
    assert.match(missing.stderr, /^flotilla: .*none does not exist\.\n$/);
    const short = await runFlotilla(['hub', '--force-delete-wait-time', '5s']);
    assert.match(short.stderr, /It must be from 30s to 3600s\./);
  });

  test('stops on SIGTERM, and has its members after a restart', async () => {
    const { code, stderr } = await hub.stop();
    assert.deepEqual([code, stderr], [0, '']);
    hub = await startCommand(['hub', '--data-dir', data, '--port', '0'], 'Ready at ');
    const owner = await connect({ kubeconfig, context: 'hub', environment });
    assert.deepEqual(
      (await owner.list(memberClusters)).items.map(({ metadata }) => metadata.name),
      ['sea'],
    );
    await owner.close();
  });

  test('takes values from the environment, and names the variable of one that is invalid', async () => {
    const env = { ...process.env, FLOTILLA_HUB_PORT: '70000' };
    const { code, stderr } = await runFlotilla(['hub', '--memory'], { env });
    assert.deepEqual(
      [code, stderr],
      [1, 'flotilla: FLOTILLA_HUB_PORT: "70000" is invalid. It must be a number from 0 to 65535.\n'],
    );
  });

  test('deletes the account of a cluster that leaves', async () => {
    assert.equal((await join()).code, 0);
    const member = await connect({ kubeconfig: scratch.file('sea'), context: 'hub', environment });
    const key = { namespace: 'fleet-member-sea', name: 'sea' };
    const left = reportLeft(member);
    const { code, stdout, stderr } = await runFlotilla([
      'leave',
      'sea',
      '--kubeconfig',
      kubeconfig,
      '--context',
      'hub',
    ]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^sea is leaving\. .*\nsea has left\. .*\n$/);
    await left;
    await assert.rejects(member.get(internalMemberClusters, key), { code: 401 });
    await member.close();
    const again = await runFlotilla(['leave', 'sea', '--kubeconfig', kubeconfig, '--context', 'hub']);
    assert.deepEqual([again.code, again.stderr], [1, 'flotilla: the hub has no MemberCluster sea.\n']);
  });
});
