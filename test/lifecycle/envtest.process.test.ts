import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { freshCredentials, type CredentialSet } from '@flotilla/apiserver';
import { runFlotilla, Scratch } from '../flotilla-process.ts';
import { exchangeHttp1 } from '../wire.ts';

describe('flotilla envtest', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  before(() => {
    scratch = new Scratch();
  });
  after(() => scratch[Symbol.dispose]());

  test('prints a line that a shell can evaluate, whatever the name of the folder', async () => {
    const folder = scratch.file("jason's assets");
    const { code, stdout } = await runFlotilla(['envtest', '--dir', folder]);
    assert.equal(code, 0);
    const script = `${stdout}printf %s "$KUBEBUILDER_ASSETS"`;
    assert.equal((await promisify(execFile)('sh', ['-ec', script])).stdout, folder);
  });

  test('creates its folder in the cache directory and prints it as JSON', async () => {
    const env = { ...process.env, XDG_CACHE_HOME: scratch.file('caches') };
    const { stdout } = await runFlotilla(['envtest', '-o', 'json'], { env });
    const { directory, programs } = JSON.parse(stdout) as { directory: string; programs: string[] };
    assert.equal(directory, scratch.file('caches/flotilla/envtest'));
    assert.deepEqual(programs.slice(0, 2), ['kube-apiserver', 'etcd']);
  });

  test('links kubectl if there is one, and can run again', async () => {
    const folder = scratch.file('assets');
    const tools = scratch.file('tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'kubectl'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${tools}:${process.env['PATH']}` };
    for (const turn of ['first', 'second']) {
      const { code, stderr } = await runFlotilla(['envtest', '--dir', folder], { env });
      assert.equal(code, 0, `${turn}: ${stderr}`);
    }
    assert.equal(readlinkSync(join(folder, 'kubectl')), join(tools, 'kubectl'));
  });

  test('does not replace a program that is not a link', async () => {
    const folder = scratch.file('real');
    mkdirSync(folder);
    writeFileSync(join(folder, 'kube-apiserver'), 'the real one');
    const { code, stderr } = await runFlotilla(['envtest', '--dir', folder]);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: .*kube-apiserver exists and is not a link; .*--dir\.\n$/);
    assert.equal(existsSync(join(folder, 'etcd')), false);
  });
});

describe('programs for envtest', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let folder: string;
  let credentials: CredentialSet;
  before(async () => {
    scratch = new Scratch();
    folder = scratch.file('assets');
    await runFlotilla(['envtest', '--dir', folder]);
    credentials = await freshCredentials(['127.0.0.1'], new Date());
    writeFileSync(scratch.file('apiserver.crt'), credentials.server.certificate);
    writeFileSync(scratch.file('apiserver.key'), credentials.server.key);
    writeFileSync(scratch.file('clients.crt'), credentials.server.clientAuthority);
    writeFileSync(scratch.file('tokens.csv'), 'ahoy,ada,u1,system:masters\n');
  });
  const children: ChildProcess[] = [];
  const start = (program: string, args: readonly string[]): ChildProcess => {
    const child = spawn(join(folder, program), args);
    children.push(child);
    return child;
  };
  after(() => {
    // A failed test leaves its process running.
    for (const child of children) child.kill('SIGKILL');
    scratch[Symbol.dispose]();
  });

  for (const program of ['kube-apiserver', 'etcd']) {
    test(`${program} prints help without Node, and offers no insecure port`, async () => {
      const alone = scratch.file(`${program}-alone`);
      copyFileSync(join(folder, program), alone);
      const { stdout } = await promisify(execFile)(alone, ['--help']);
      assert.match(stdout, /envtest/);
      assert.doesNotMatch(stdout, /^\s*--insecure-port\b/m);
    });
  }

  test('etcd reports that it is healthy until SIGTERM', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const etcd = start('etcd', [
      `--advertise-client-urls=${url}`,
      `--data-dir=${scratch.file('etcd')}`,
      `--listen-client-urls=${url}`,
      `--listen-peer-urls=http://127.0.0.1:${await freePort()}`,
    ]);
    const health = await firstAnswer(async () => (await fetch(`${url}/health`)).text());
    assert.match(health, /"health":"true"/);
    assert.equal(await stopped(etcd), 0);
  });

  test('kube-apiserver serves the given certificate and accepts clients of the given CA', async () => {
    const port = await freePort();
    const apiserver = start('kube-apiserver', [
      '--allow-privileged=true',
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--cert-dir=${scratch.path}`,
      `--client-ca-file=${scratch.file('clients.crt')}`,
      '--disable-admission-plugins=ServiceAccount',
      '--etcd-servers=http://127.0.0.1:1',
      `--secure-port=${port}`,
      `--service-account-issuer=https://127.0.0.1:${port}/`,
      `--service-account-key-file=${scratch.file('apiserver.crt')}`,
      `--service-account-signing-key-file=${scratch.file('apiserver.key')}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      `--token-auth-file=${scratch.file('tokens.csv')}`,
      '--a-flag-of-tomorrow=true',
    ]);
    const { authority } = credentials.server;
    const access = { port, authority, ...credentials.admin };
    // As envtest does: a live server may not be ready yet.
    await firstAnswer(async () => {
      const { text } = await exchangeHttp1(access, { target: '/readyz' }, {});
      assert.equal(text, 'ok', 'without credentials');
    });
    const namespaces = { target: '/api/v1/namespaces' };
    assert.equal((await exchangeHttp1(access, namespaces, {})).status, 403, 'without credentials');
    assert.equal((await exchangeHttp1(access, namespaces)).status, 200);
    const withToken = { ...namespaces, headers: { authorization: 'Bearer ahoy' } };
    assert.equal((await exchangeHttp1(access, withToken, {})).status, 200, 'with a token');
    const { gitVersion } = JSON.parse((await exchangeHttp1(access, { target: '/version' })).text) as Version;
    const { stdout } = await promisify(execFile)(join(folder, 'kube-apiserver'), ['--version']);
    assert.equal(stdout, `Kubernetes ${gitVersion.replace(/\+.*/, '')}\n`);
    const pods = { method: 'POST', target: '/api/v1/namespaces/default/pods', type: 'application/json' };
    const privileged = await exchangeHttp1(access, { ...pods, body: JSON.stringify(privilegedPod) });
    assert.equal(privileged.status, 201, privileged.text);
    const service = await exchangeHttp1(access, { target: '/api/v1/namespaces/default/services/kubernetes' });
    assert.match(service.text, /"clusterIP":"10\.96\.0\.1"/);
    const issuer = await exchangeHttp1(access, { target: '/.well-known/openid-configuration' });
    assert.equal((JSON.parse(issuer.text) as { issuer: string }).issuer, `https://127.0.0.1:${port}/`);
    assert.equal(await stopped(apiserver), 0);
  });
});

const privilegedPod = {
  metadata: { name: 'mighty' },
  spec: { containers: [{ name: 'mighty', image: 'nginx', securityContext: { privileged: true } }] },
};

interface Version {
  readonly gitVersion: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Retries until a server listens, as envtest does. */
async function firstAnswer<T>(ask: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await ask();
    } catch (error) {
      if (turn === 200) throw error;
      await pause(100);
    }
  }
}

async function stopped(child: ChildProcess): Promise<number> {
  const exit = once(child, 'exit') as Promise<[number]>;
  child.kill('SIGTERM');
  return (await exit)[0];
}
