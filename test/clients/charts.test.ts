/** The charts of the agents: Helm renders and installs them, and the program runs with their flags and rights. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { clusterResourcePlacements } from '@flotilla/api';
import { requestToken, type Client } from '@flotilla/client';
import { memberCredentials, registerMember, startServer, type RunningServer } from '@flotilla/fleet';
import {
  administrator,
  apiVersionOf,
  configMaps,
  customResourceDefinitions,
  deployments,
  leases,
  namespaces,
  secrets,
  type Kind,
  type ObjectMeta,
} from '@flotilla/kube';
import { availability } from '@flotilla/testkit';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const available = availability('helm', missingClient('helm', 'helm'));
const charts = resolve(import.meta.dirname, '../../charts');
const fleet = 'fleet-system';
const required = ['--set', 'config.hubURL=https://hub.example.com', '--set', 'config.memberClusterName=sea'];

interface Container {
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly initContainers?: readonly [Container];
}

describe('a chart of an agent', { timeout: 120_000, skip: available.skip }, () => {
  const scratch = new Scratch();
  const running: Awaited<ReturnType<typeof startCommand>>[] = [];
  let hub: RunningServer;
  let member: RunningServer;
  let onHub: Client;
  let onMember: Client;

  before(async () => {
    [hub, member] = await Promise.all([startServer({ memory: true }), startServer({ memory: true })]);
    [onHub, onMember] = await Promise.all([hub.clientAs(administrator), member.clientAs(administrator)]);
    writeFileSync(scratch.file('hub'), hub.kubeconfig, { mode: 0o600 });
    writeFileSync(scratch.file('member'), member.kubeconfig, { mode: 0o600 });
  });
  after(async () => {
    await Promise.all(running.map((each) => each.stop()));
    await Promise.all([onHub.close(), onMember.close()]);
    await Promise.all([hub.stop(), member.stop()]);
    scratch[Symbol.dispose]();
  });

  for (const chart of ['hub-agent', 'member-agent']) {
    test(`${chart} passes Helm's lint`, async () => {
      assert.match(await helm('lint', '--strict', join(charts, chart)), /1 chart\(s\) linted, 0 chart\(s\) failed/);
    });
  }

  const refused: readonly (readonly [chart: string, value: string, sentence: RegExp])[] = [
    ['hub-agent', 'useCertManager=true', /the hub makes and renews the certificate of its webhooks/],
    ['hub-agent', 'namespace=harbor', /namespace must be fleet-system/],
    ['hub-agent', 'admissionPolicyManagerConfigName=rules', /rules, which is no key of additionalConfigData/],
    ['hub-agent', 'enableWebhok=false', /additional properties 'enableWebhok' not allowed/],
    ['member-agent', 'config.provider=azure', /config\.provider azure is not supported/],
    ['member-agent', 'config.hubURL=', /config\.hubURL is missing: the address of the hub's API server/],
    ['member-agent', 'useCAAuth=true', /useCAAuth needs config\.identityKey/],
  ];
  for (const [chart, value, sentence] of refused) {
    test(`${chart} refuses ${value}`, async () => {
      const values = chart === 'member-agent' ? required : [];
      await assert.rejects(helm('template', 'x', join(charts, chart), ...values, '--set', value), sentence);
    });
  }

  const rendered: readonly (readonly [
    claim: string,
    chart: string,
    values: readonly string[],
    texts: readonly string[],
  ])[] = [
    [
      'a Secret of its own namespace is mounted',
      'member-agent',
      ['secret.namespace=fleet-system'],
      ['secretName: hub-kubeconfig-secret'],
    ],
    ['the kubelet issues a token', 'member-agent', ['config.provider=projected'], ['audience: fleet-hub']],
    [
      'webhooks have a URL',
      'hub-agent',
      ['webhookClientConnectionType=url', 'webhookServiceName=harbor'],
      ['--webhook-url=https://harbor.fleet-system.svc.cluster.local:9443', 'name: harbor'],
    ],
    [
      'files are mounted',
      'hub-agent',
      ['additionalConfigData.rules=a', 'admissionPolicyManagerConfigName=rules', 'enableAdmissionPolicyManager=true'],
      ['--admission-policy-manager-config=/etc/kubefleet/additional-config/rules', 'name: additional-config'],
    ],
  ];
  for (const [claim, chart, values, texts] of rendered) {
    test(`${claim} if ${values.join(', ')}`, async () => {
      const sets = values.flatMap((value) => ['--set', value]);
      const text = await helm(
        'template',
        'x',
        join(charts, chart),
        ...(chart === 'member-agent' ? required : []),
        ...sets,
      );
      for (const wanted of texts) assert.ok(text.includes(wanted), `${wanted} in ${text}`);
    });
  }

  test('grants a hub and an agent what they need to place objects', async () => {
    await helm('install', 'hub-agent', join(charts, 'hub-agent'), ...into('hub'));
    await startHub(await podOf(onHub, 'hub-agent'));
    await registerMember(onHub, 'sea');
    const { token } = await memberCredentials(onHub, 'sea');
    await create(onMember, secrets, { namespace: 'default', name: 'hub-kubeconfig-secret' }, { stringData: { token } });
    writeFileSync(scratch.file('values.json'), JSON.stringify(memberValues(hub)));
    const values = ['--values', scratch.file('values.json')];
    await helm('install', 'member-agent', join(charts, 'member-agent'), ...values, ...into('member'));
    await startAgent(await podOf(onMember, 'member-agent'));

    await create(onHub, namespaces, { name: 'harbor' });
    await create(onHub, configMaps, { namespace: 'harbor', name: 'lights' }, { data: { colour: 'red' } });
    const selector = { group: '', version: 'v1', kind: 'Namespace', name: 'harbor' };
    const spec = { resourceSelectors: [selector], policy: { placementType: 'PickAll' } };
    await create(onHub, clusterResourcePlacements, { name: 'harbor' }, { spec });
    await untilAvailable(onHub);
    const { data } = await onMember.get(configMaps, { namespace: 'harbor', name: 'lights' });
    assert.deepEqual(data, { colour: 'red' });
    for (const { stderr } of running) assert.doesNotMatch(stderr(), /forbidden/i);
  });

  test('leaves the kinds of the fleet and the placed objects when it is uninstalled', async () => {
    await Promise.all(running.splice(0).map((each) => each.stop()));
    // A replica that stops may still write the lease.
    for (const [client, role] of [
      [onHub, 'hub'],
      [onMember, 'hub'],
      [onMember, 'member'],
    ] as const) {
      const lease = await client.get(leases, { namespace: fleet, name: `136224848560.${role}.fleet.azure.com` });
      assert.equal((lease['spec'] as { holderIdentity?: string }).holderIdentity, '');
    }
    // No kubelet runs the Job of the hook, so the test does.
    const { stdout } = await runFlotilla(['uninstall', '--kubeconfig', scratch.file('hub-agent-sa')]);
    assert.equal(stdout.match(/^Deleted /gm)?.length, 3, stdout);
    await helm('uninstall', 'hub-agent', '--no-hooks', ...access('hub'));
    await helm('uninstall', 'member-agent', ...access('member'));
    await onHub.get(customResourceDefinitions, { name: 'works.placement.kubernetes-fleet.io' });
    await onHub.get(clusterResourcePlacements, { name: 'harbor' });
    await onMember.get(configMaps, { namespace: 'harbor', name: 'lights' });
    await assert.rejects(onMember.get(deployments, { namespace: fleet, name: 'member-agent' }), /not found/);
  });

  /** With the flags of the chart, except for addresses: the test's machine has no Service, and its ports may be in use. */
  async function startHub({ containers: [{ args }] }: PodSpec): Promise<void> {
    const address = `127.0.0.1:${await freePort()}`;
    const kubeconfig = await kubeconfigOf(onHub, hub, 'hub-agent-sa');
    const flags = args.filter((arg) => !/^--(webhook-service|metrics|health)/.test(arg));
    assert.equal(flags.length, args.length - 3);
    const webhooks = ['--webhook-url', `https://${address}`, '--webhook-bind-address', address];
    running.push(await startCommand(['hub', '--kubeconfig', kubeconfig, ...flags, ...webhooks], 'Ready: '));
  }

  async function startAgent({ containers: [agent], initContainers: [copy] = [agent] }: PodSpec): Promise<void> {
    const access = ['--member-kubeconfig', await kubeconfigOf(onMember, member, 'member-agent-sa')];
    const file = scratch.file('token');
    running.push(await startCommand(['agent', ...copy.args, ...access, '--file-path', file], 'Wrote the token'));
    const env = Object.fromEntries((agent.env ?? []).map(({ name, value }) => [name, value]));
    const off = ['hub-metrics', 'hub-health-probe', 'metrics', 'health-probe'].map(
      (name) => `--${name}-bind-address=0`,
    );
    running.push(
      await startCommand(['agent', ...agent.args, ...access, ...off], 'sea has joined the fleet', {
        env: { PATH: process.env['PATH'], ...env, CONFIG_PATH: file },
      }),
    );
  }

  async function kubeconfigOf(client: Client, server: RunningServer, name: string): Promise<string> {
    const { token } = await requestToken(client, { namespace: fleet, name }, 3600);
    const authority = Buffer.from(server.credentials.server.authority).toString('base64');
    const cluster = { server: server.url, 'certificate-authority-data': authority };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    };
    writeFileSync(scratch.file(name), JSON.stringify(config), { mode: 0o600 });
    return scratch.file(name);
  }

  function access(cluster: 'hub' | 'member'): string[] {
    return ['--namespace', fleet, '--kubeconfig', scratch.file(cluster)];
  }

  function into(cluster: 'hub' | 'member'): string[] {
    return [...access(cluster), '--create-namespace'];
  }

  async function helm(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: scratch.path };
    const { stdout } = await promisify(execFile)(join(clientsFolder, 'helm'), args, { env, timeout: 60_000 });
    return stdout;
  }
});

/** The agent may apply what the test places, and nothing else. */
function memberValues({ url, credentials }: RunningServer): object {
  const hubCA = Buffer.from(credentials.server.authority).toString('base64');
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  return {
    config: { hubURL: url, memberClusterName: 'sea', hubCA },
    propertyProvider: 'default',
    priorityQueue: { enabled: true },
    appliedRules: [{ apiGroups: [''], resources: ['namespaces', 'configmaps'], verbs }],
  };
}

async function podOf(client: Client, name: string): Promise<PodSpec> {
  const { spec } = await client.get(deployments, { namespace: fleet, name });
  return (spec as unknown as { template: { spec: PodSpec } }).template.spec;
}

async function create(client: Client, kind: Kind, metadata: ObjectMeta, fields: object = {}): Promise<void> {
  await client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...fields });
}

async function untilAvailable(client: Client): Promise<void> {
  const { signal } = new AbortController();
  for await (const { object } of client.watch(clusterResourcePlacements, { resourceVersion: '0', signal })) {
    const conditions = object.status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type.endsWith('Available') && status === 'True')) return;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
