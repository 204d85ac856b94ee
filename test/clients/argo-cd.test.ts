/** Argo CD's application controller keeps placements on a hub as a Git repository has them. */
import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { clusterResourcePlacements } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { configMaps, type Kind, type KubeObject } from '@flotilla/kube';
import { availability } from '@flotilla/testkit';
import { runFlotilla, Scratch } from '../flotilla-process.ts';
import { clientsFolder, missingClient } from './clients-folder.ts';

const { skip } = availability('argo-cd', missingClient('argo-cd', 'argo-cd'));
const module = join(import.meta.dirname, 'modules/argo-cd');
const manifests = readFileSync(resolve(import.meta.dirname, '../../examples/pick-all/placement.yaml'), 'utf8');
const run = promisify(execFile);

const applications: Kind = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  kind: 'Application',
  plural: 'applications',
  namespaced: true,
};
const watching = { resourceVersion: '0', signal: new AbortController().signal };
const placed = { namespace: 'everywhere', name: 'settings' };

/** What Argo CD has to find in its namespace. Its own manifests create the same. */
const settings = `
apiVersion: v1
kind: Namespace
metadata: { name: argocd }
---
apiVersion: v1
kind: ConfigMap
metadata: { namespace: argocd, name: argocd-cm, labels: { app.kubernetes.io/part-of: argocd } }
---
apiVersion: v1
kind: Secret
metadata: { namespace: argocd, name: argocd-secret, labels: { app.kubernetes.io/part-of: argocd } }
stringData: { server.secretkey: for-tests-only }
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { namespace: argocd, name: default }
spec:
  sourceRepos: ['*']
  destinations: [{ server: '*', namespace: '*' }]
  clusterResourceWhitelist: [{ group: '*', kind: '*' }]
`;

const application = (repository: string): string => `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { namespace: argocd, name: fleet }
spec:
  project: default
  source: { repoURL: 'file://${repository}', path: ., targetRevision: main }
  destination: { server: https://kubernetes.default.svc, namespace: default }
  syncPolicy: { automated: { prune: true, selfHeal: true } }
`;

describe("Argo CD's application controller", { timeout: 180_000, skip }, () => {
  const running: ChildProcess[] = [];
  let scratch: Scratch;
  let fleet: RunningFleet;
  let hub: Client;
  let repository: string;
  before(async () => {
    scratch = new Scratch();
    repository = scratch.file('repository');
    mkdirSync(repository);
    await run('git', ['init', '--quiet', '--initial-branch=main', repository]);
    await commit(manifests);
    fleet = await startFleet({ members: 2 });
    hub = await fleet.hub.client();
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig, { mode: 0o600 });
    await install();
    await startArgo();
  });
  after(async () => {
    await Promise.all(running.map((child) => stopped(child)));
    await hub.close();
    await fleet.stop();
    scratch[Symbol.dispose]();
  });

  test('applies the placements of a repository until they are Synced and Healthy', async () => {
    await apply(application(repository));
    await until(applications, ({ status }) => isSynced(status as unknown as ApplicationStatus));
    await until(clusterResourcePlacements, ({ status }) =>
      (status?.conditions ?? []).some(({ type, status: is }) => type.endsWith('Available') && is === 'True'),
    );
    const member = fleet.members.get('member-2')?.client();
    assert.equal((await member?.get(configMaps, placed))?.data?.['color'], 'blue');
    await member?.close();
  });

  test('reverts a change on the hub', async () => {
    await hub.patch(configMaps, placed, { type: 'merge', value: { data: { color: 'red' } } });
    await until(configMaps, ({ metadata, data }) => metadata.name === placed.name && data?.['color'] === 'blue');
  });

  test('applies the next commit, and deletes what it no longer has', async () => {
    const [namespace = '', configMap = ''] = manifests.split('\n---\n');
    await commit([namespace, configMap.replace('blue', 'green')].join('\n---\n'));
    // As the webhook of a Git server does. Otherwise Argo CD looks every few minutes.
    const annotations = { 'argocd.argoproj.io/refresh': 'normal' };
    const key = { namespace: 'argocd', name: 'fleet' };
    await hub.patch(applications, key, { type: 'merge', value: { metadata: { annotations } } });
    await until(configMaps, ({ metadata, data }) => metadata.name === placed.name && data?.['color'] === 'green');
    const { items, resourceVersion } = await hub.list(clusterResourcePlacements);
    if (items.length === 0) return;
    for await (const { type } of hub.watch(clusterResourcePlacements, { ...watching, resourceVersion })) {
      if (type === 'DELETED') return;
    }
  });

  async function commit(text: string): Promise<void> {
    writeFileSync(join(repository, 'placement.yaml'), text);
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    await run('git', ['-C', repository, 'add', '--all']);
    await run('git', ['-C', repository, ...author, 'commit', '--quiet', '--message', 'change']);
  }

  async function apply(text: string): Promise<void> {
    writeFileSync(scratch.file('manifests.yaml'), text);
    await applyFile(scratch.file('manifests.yaml'));
  }

  async function applyFile(file: string): Promise<void> {
    const { code, stderr } = await runFlotilla(['apply', '-f', file, '--kubeconfig', scratch.file('kubeconfig')]);
    assert.deepEqual([code, stderr], [0, '']);
  }

  /** The definitions of its kinds come from the module that it is built from. */
  async function install(): Promise<void> {
    const { stdout } = await run('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/argoproj/argo-cd/v3'], {
      cwd: module,
    });
    for (const kind of ['application', 'appproject']) {
      await applyFile(join(stdout.trim(), `manifests/crds/${kind}-crd.yaml`));
    }
    await apply(settings);
  }

  async function startArgo(): Promise<void> {
    const [address, port, metricsPort, controllerMetricsPort] = [
      await startRedis(),
      ...(await Promise.all([freePort(), freePort(), freePort()])),
    ];
    const redis = ['--redis', address];
    const local = ['--address', '127.0.0.1', '--metrics-address', '127.0.0.1'];
    start('repo-server', ...redis, ...local, '--disable-tls', ...ports(port, metricsPort));
    const server = ['--repo-server', `127.0.0.1:${port}`, '--repo-server-plaintext'];
    const access = ['--kubeconfig', scratch.file('kubeconfig'), '--namespace', 'argocd'];
    start('application-controller', ...redis, ...server, ...access, '--metrics-port', `${controllerMetricsPort}`);
  }

  function ports(port: number, metricsPort: number): string[] {
    return ['--port', `${port}`, '--metrics-port', `${metricsPort}`];
  }

  async function startRedis(): Promise<string> {
    const [line] = (await once(start('redis').stdout.setEncoding('utf8'), 'data')) as [string];
    return line.trim();
  }

  function start(...args: string[]): ChildProcessByStdio<null, Readable, null> {
    const env = {
      PATH: process.env['PATH'],
      HOME: scratch.path,
      TMPDIR: scratch.path,
      KUBECONFIG: scratch.file('kubeconfig'),
      // The cluster that Argo CD runs in is that of the kubeconfig.
      ARGOCD_FAKE_IN_CLUSTER: 'true',
      ARGOCD_GPG_ENABLED: 'false',
      ARGOCD_PLUGINSOCKFILEPATH: scratch.path,
      ARGOCD_TLS_DATA_PATH: scratch.path,
      ARGOCD_SSH_DATA_PATH: scratch.path,
    };
    const child = spawn(join(clientsFolder, 'argo-cd'), args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    running.push(child);
    return child;
  }

  async function until<T extends KubeObject>(kind: Kind<T>, holds: (object: T) => boolean): Promise<void> {
    for await (const { object } of hub.watch(kind, watching)) {
      if (holds(object)) return;
    }
  }
});

interface ApplicationStatus {
  readonly sync?: { readonly status: string };
  readonly health?: { readonly status: string };
}

function isSynced(status: ApplicationStatus | undefined): boolean {
  return status?.sync?.status === 'Synced' && status.health?.status === 'Healthy';
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
