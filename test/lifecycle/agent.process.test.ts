import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters, works, type InternalMemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import {
  memberAccount,
  memberCredentials,
  registerMember,
  startHub,
  startServer,
  untilReadyToJoin,
  type RunningHub,
  type RunningServer,
} from '@flotilla/fleet';
import { administrator, configMaps, nodes, secrets, serviceAccounts } from '@flotilla/kube';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

const name = 'paris';
const key = { namespace: `fleet-member-${name}`, name };
describe('flotilla agent', { timeout: 120_000 }, () => {
  const scratch = new Scratch();
  const dataDirectory = scratch.file('hub');
  const [tokenFile, memberFile, hubFile] = [scratch.file('token'), scratch.file('member'), scratch.file('hub-access')];
  let hub: RunningHub;
  let owner: Client;
  let member: RunningServer;
  let ofMember: Client;

  before(async () => {
    hub = await startHub({ dataDirectory });
    owner = await hub.client();
    member = await startServer();
    ofMember = await member.clientAs(administrator);
    writeFileSync(memberFile, member.kubeconfig);
    await registerMember(owner, name, { heartbeatPeriodSeconds: 1 });
    await untilReadyToJoin(owner, name);
    await writeToken();
    writeFileSync(hubFile, kubeconfigWithToken(hub, tokenFile));
  });
  after(async () => {
    await Promise.all([owner.close(), ofMember.close()]);
    await Promise.all([hub.stop(), member.stop()]);
    scratch[Symbol.dispose]();
  });

  const writeToken = async (): Promise<void> => {
    writeFileSync(tokenFile, (await memberCredentials(owner, name)).token);
  };
  const named = ['agent', '--name', name, '--hub-kubeconfig', hubFile, '--member-kubeconfig', memberFile];

  test('joins, sends heartbeats, applies a Work, and stops on SIGTERM', async () => {
    const amounts = { cpu: '4', memory: '16Gi' };
    const status = { capacity: amounts, allocatable: amounts };
    await ofMember.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status });
    const agent = await startCommand(named, `${name} has joined the fleet.`);
    const first = await untilHeartbeat(owner, '');
    await untilHeartbeat(owner, first);
    const { properties, resourceUsage } = (await owner.get(internalMemberClusters, key)).status ?? {};
    assert.equal(properties?.['kubernetes-fleet.io/node-count']?.value, '1');
    assert.deepEqual(resourceUsage?.available, amounts);
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };
    await owner.create(works, {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'Work',
      metadata: { name: 'w', namespace: key.namespace },
      spec: { workload: { manifests: [manifest] } },
    });
    const ending = new AbortController();
    for await (const { object } of owner.watch(works, {
      namespace: key.namespace,
      resourceVersion: '0',
      signal: ending.signal,
    })) {
      if (object.status?.conditions?.some(({ type, status }) => type === 'Available' && status === 'True'))
        ending.abort();
    }
    assert.ok(await ofMember.get(configMaps, { namespace: 'default', name: 'c' }));
    const { code, stdout, stderr } = await agent.stop();
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.trim().split('\n').sort();
    assert.deepEqual(
      lines,
      [
        'Stopping.',
        `Connected to the hub at ${hub.url} (v1.36.4+flotilla).`,
        `Connected to the member at ${member.url} (v1.36.4+flotilla).`,
        `${name} has joined the fleet.`,
      ].sort(),
    );
  });

  test('continues after a restart of the hub', async () => {
    const agent = await startCommand(named, `${name} has joined the fleet.`);
    const { port } = hub;
    await owner.close();
    await hub.stop();
    hub = await startHub({ dataDirectory, port });
    owner = await hub.client();
    await untilHeartbeat(owner, await lastHeartbeat(owner));
    assert.equal((await agent.stop()).code, 0);
  });

  test('waits for a hub that is not running yet, and prints that', async () => {
    const { port } = hub;
    await owner.close();
    await hub.stop();
    const agent = await startCommand(named, `Waiting for the hub at ${hub.url}: `);
    hub = await startHub({ dataDirectory, port });
    owner = await hub.client();
    await untilHeartbeat(owner, await lastHeartbeat(owner));
    assert.equal((await agent.stop()).code, 0);
  });

  test('waits for a member whose response is not JSON, and prints that', async () => {
    const strange = createServer((_request, response) => response.end('<html>\u001b[2J'));
    await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(strange.address() as { port: number }).port}`;
    const strangeFile = scratch.file('strange');
    writeFileSync(strangeFile, readFileSync(memberFile, 'utf8').replace(member.url, url));
    const agent = await startCommand(
      ['agent', '--name', name, '--hub-kubeconfig', hubFile, '--member-kubeconfig', strangeFile],
      `Waiting for the member at ${url}: the response is not JSON`,
    );
    const { code, stderr } = await agent.stop();
    strange.close();
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('stops while it waits for the hub', async () => {
    const nowhere = scratch.file('nowhere');
    writeFileSync(nowhere, readFileSync(hubFile, 'utf8').replace(hub.url, 'https://127.0.0.1:1'));
    const agent = await startCommand(
      ['agent', '--name', name, '--hub-kubeconfig', nowhere, '--member-kubeconfig', memberFile],
      'Waiting for the hub at https://127.0.0.1:1: ',
    );
    const { code, stderr } = await agent.stop();
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('reads its token again when the hub refuses the old one', async () => {
    const agent = await startCommand(named, `${name} has joined the fleet.`);
    await owner.delete(serviceAccounts, memberAccount(name));
    await writeToken();
    await untilHeartbeat(owner, await lastHeartbeat(owner));
    assert.equal((await agent.stop()).code, 0);
  });

  test("accepts KubeFleet's variables and flags, and serves probes and metrics on their addresses", async () => {
    const env = {
      ...process.env,
      HUB_SERVER_URL: hub.url,
      MEMBER_CLUSTER_NAME: name,
      CONFIG_PATH: tokenFile,
      HUB_CERTIFICATE_AUTHORITY: authorityOf(hub) ?? '',
      HUB_KUBE_HEADER: 'X-Gateway: open\r\nX-Other: a\r\n',
      KUBECONFIG: memberFile,
    };
    const flags = [
      '--leader-elect=true',
      '-add_dir_header',
      '--v=5',
      '--install-definitions',
      '--leader-retry-period=100ms',
    ];
    const addresses = ['--health-probe-bind-address=0', '--metrics-bind-address='];
    const [health, metrics] = await Promise.all([freePort(), freePort()]);
    const served = [`--hub-health-probe-bind-address=:${health}`, `--hub-metrics-bind-address=127.0.0.1:${metrics}`];
    const agent = await startCommand(['agent', ...flags, ...addresses, ...served], `${name} has joined the fleet.`, {
      env,
    });
    assert.equal(await page(health, '/healthz'), '200 ok');
    assert.equal(await page(health, '/readyz'), '200 ok');
    assert.match(await page(metrics, '/metrics'), /^200 [^]*\njoin_result_counter\{result="success"\} \d\n/);
    assert.equal(await page(metrics, '/else'), '404 404 page not found\n');
    assert.equal((await agent.stop()).code, 0);
  });

  test('leaves when the MemberCluster is deleted', async () => {
    const agent = await startCommand(named, `${name} has joined the fleet.`);
    await owner.delete(memberClusters, { name });
    const ending = new AbortController();
    for await (const { type } of owner.watch(memberClusters, { resourceVersion: '0', signal: ending.signal })) {
      if (type === 'DELETED') ending.abort();
    }
    const { stdout } = await agent.stop();
    assert.match(stdout, new RegExp(`${name} has left the fleet\\.`));
    assert.ok(await ofMember.get(configMaps, { namespace: 'default', name: 'c' }));
  });
});

describe('flotilla agent refresh-token', { timeout: 60_000 }, () => {
  test('writes the token of a Secret to a file that only its owner can read', async () => {
    using scratch = new Scratch();
    const member = await startServer();
    const client = await member.clientAs(administrator);
    writeFileSync(scratch.file('kubeconfig'), member.kubeconfig);
    const data = { token: Buffer.from('the token').toString('base64') };
    await client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'default', name: 's' },
      data,
    });
    const where = ['--file-path', scratch.file('config/token'), '--member-kubeconfig', scratch.file('kubeconfig')];
    const command = await startCommand(
      ['agent', 'refresh-token', '--name', 's', '--namespace', 'default', ...where],
      'Wrote the token of the Secret default/s to ',
    );
    assert.equal(readFileSync(scratch.file('config/token'), 'utf8'), 'the token');
    assert.equal(statSync(scratch.file('config/token')).mode & 0o777, 0o600);
    assert.equal((await command.stop()).code, 0);
    await client.close();
    await member.stop();
  });
});

test('an agent without a name, a hub or a valid flag fails with the flag to set', async () => {
  using scratch = new Scratch();
  const env = { PATH: process.env['PATH'], HOME: scratch.path };
  const errorOf = async (args: readonly string[], more: Record<string, string> = {}): Promise<string> => {
    const { code, stderr } = await runFlotilla(['agent', ...args], { env: { ...env, ...more } });
    assert.equal(code, 1);
    return stderr;
  };
  assert.match(
    await errorOf([]),
    /^flotilla: the name of the member is missing; set --name or MEMBER_CLUSTER_NAME\.\n$/,
  );
  assert.match(await errorOf(['--name', 'a']), /^flotilla: the hub is missing; set --hub-kubeconfig or HUB_SERVER_URL/);
  const hub = { HUB_SERVER_URL: 'https://127.0.0.1:1', MEMBER_CLUSTER_NAME: 'a' };
  assert.match(await errorOf([], hub), /^flotilla: CONFIG_PATH must name the file with the hub's token/);
  assert.match(await errorOf(['--deletion-wait-time', '61']), /It must be a whole number from 1 to 60\./);
  assert.match(await errorOf(['--no-such-flag']), /unknown option '--no-such-flag'/);
});

/** A kubeconfig of the hub for a user whose token is in a file. */
function kubeconfigWithToken({ access: { cluster } }: RunningHub, tokenFile: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'hub', cluster }],
    users: [{ name: 'agent', user: { tokenFile } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'agent' } }],
    'current-context': 'hub',
  });
}

function authorityOf({ access: { cluster } }: RunningHub): string {
  return String(cluster['certificate-authority-data']);
}

function heartbeatOf({ status }: InternalMemberCluster): string {
  return status?.agentStatus?.find(({ type }) => type === 'MemberAgent')?.lastReceivedHeartbeat ?? '';
}

async function lastHeartbeat(hub: Client): Promise<string> {
  return heartbeatOf(await hub.get(internalMemberClusters, key));
}

/** Resolves with the first heartbeat that is newer than `before`. */
async function untilHeartbeat(hub: Client, before: string): Promise<string> {
  const ending = new AbortController();
  const options = { namespace: key.namespace, resourceVersion: '0', signal: ending.signal };
  let latest = '';
  for await (const { object } of hub.watch(internalMemberClusters, options)) {
    latest = heartbeatOf(object);
    if (latest > before) ending.abort();
  }
  return latest;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function page(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject);
    });
    request.on('error', reject);
  });
}
