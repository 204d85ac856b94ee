import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync, readdirSync } from 'node:fs';
import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { launcher, runFlotilla, Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1, messageOf } from '../wire.ts';

describe('a server that starts', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  before(async () => {
    scratch = new Scratch();
    writeFileSync(scratch.file('kubeconfig'), foreignKubeconfig, { mode: 0o600 });
    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'));
  });
  after(async () => {
    await server.stop();
    scratch[Symbol.dispose]();
  });

  test('adds its entries to an existing kubeconfig and keeps the others', () => {
    const { clusters, users, contexts, ...rest } = JSON.parse(
      readFileSync(scratch.file('kubeconfig'), 'utf8'),
    ) as Record<string, { name: string }[]>;
    for (const list of [clusters, users, contexts]) {
      assert.deepEqual(
        list?.map(({ name }) => name),
        ['theirs', 'flotilla'],
      );
    }
    assert.equal(rest['current-context'], 'theirs');
    assert.deepEqual(rest['preferences'], { colors: true });
    assert.equal(modeOf(scratch.file('kubeconfig')), '600');
    assert.equal(modeOf(scratch.file('data/kubeconfig')), '600');
  });

  test('stores keys and tokens in files that only their owner can read', () => {
    const folder = scratch.file('data/pki');
    assert.equal(modeOf(folder), '700');
    const modes = readdirSync(folder).map((name) => `${name} ${modeOf(`${folder}/${name}`)}`);
    assert.deepEqual(modes, [
      'admin.crt 600',
      'admin.key 600',
      'admin.token 600',
      'ca.crt 600',
      'ca.key 600',
      'server.crt 600',
      'server.key 600',
      'service-account.key 600',
    ]);
  });

  test('makes a second server on the same data fail, and names the process that uses it', async () => {
    const { code, stdout, stderr } = await runFlotilla([
      'apiserver',
      '--port',
      '0',
      '--data-dir',
      scratch.file('data'),
    ]);
    assert.equal(code, 1);
    assert.doesNotMatch(stdout, /Ready/);
    assert.match(stderr, new RegExp(`^flotilla: .*\\b${server.child.pid}\\b.*\\.?\\n$`));
  });

  test('names a port that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await runFlotilla(['apiserver', '--memory', '--port', String(port)]);
    taken.close();
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `flotilla: port ${port} is in use; stop the program that uses it, or choose another with --port (0 means any free port).\n`,
    );
  });

  test('refuses --memory together with --data-dir', async () => {
    const { code, stderr } = await runFlotilla(['apiserver', '--memory', '--data-dir', scratch.file('other')]);
    assert.equal(code, 1);
    assert.equal(stderr, 'flotilla: --memory and --data-dir exclude each other; choose one.\n');
  });

  test('does not overwrite a file that is not a kubeconfig', async () => {
    writeFileSync(scratch.file('poem.txt'), 'roses: are red\n\tviolets');
    const args = ['apiserver', '--memory', '--port', '0', '--write-kubeconfig', scratch.file('poem.txt')];
    const { code, stderr } = await runFlotilla(args);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: .*poem\.txt exists and is not a kubeconfig/);
    assert.equal(readFileSync(scratch.file('poem.txt'), 'utf8'), 'roses: are red\n\tviolets');
  });

  test('reports why it cannot write a kubeconfig', async () => {
    const file = scratch.file('poem.txt/kubeconfig');
    const { code, stderr } = await runFlotilla(['apiserver', '--memory', '--port', '0', '--write-kubeconfig', file]);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: .*ENOTDIR.*\n$/);
  });

  test('listens on loopback only', async () => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    if (!outside) return;
    const socket = connect(server.port, outside.address);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
  });

  test('serves only health and version to anonymous clients', async () => {
    for (const target of ['/healthz', '/livez', '/readyz', '/version']) {
      assert.equal((await exchangeHttp1(server, { target }, {})).status, 200, target);
    }
    for (const target of ['/', '/api', '/apis', '/openapi/v2', '/readyz/ping', '/metrics', '/nothing']) {
      const answer = await exchangeHttp1(server, { target }, {});
      const refusal = `forbidden: User "system:anonymous" cannot get path "${target}"`;
      assert.deepEqual([answer.status, messageOf(answer)], [403, refusal], target);
    }
    const { status } = await exchangeHttp1(server, { target: '/api/v1/namespaces' }, {});
    assert.equal(status, 403);
  });

  test('accepts its own token and no other, on every path', async () => {
    const token = readFileSync(scratch.file('data/pki/admin.token'), 'utf8').trim();
    const status = async (target: string, authorization: string): Promise<number> =>
      (await exchangeHttp1(server, { target, headers: { authorization } }, {})).status;
    for (const target of ['/api/v1/namespaces', '/version', '/healthz']) {
      assert.equal(await status(target, `Bearer ${token}`), 200);
      assert.equal(await status(target, `bearer ${token}`), 200);
      assert.equal(await status(target, `Bearer ${token}x`), 401);
    }
  });

  test('refuses privileged containers without --allow-privileged, as kube-apiserver does', async () => {
    const privileged = { name: 'a', image: 'a', securityContext: { privileged: true } };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [privileged] } };
    const request = { method: 'POST', target: '/api/v1/namespaces/default/pods?dryRun=All', body: JSON.stringify(pod) };
    const answer = await exchangeHttp1(server, request, asAdministrator(server));
    assert.equal(answer.status, 422);
    assert.match(messageOf(answer), /securityContext.privileged: Forbidden: disallowed by cluster policy$/);
    const args = ['--memory', '--allow-privileged'];
    const other = await startFlotilla(args, scratch.file('other-kubeconfig'));
    const { status } = await exchangeHttp1(other, request, asAdministrator(other));
    await other.stop();
    assert.equal(status, 201);
  });

  test('has the same certificates after a restart', async () => {
    const before = readFileSync(scratch.file('data/pki/server.crt'), 'utf8');
    const { authority, certificate } = server;
    await server.stop();
    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'));
    assert.equal(readFileSync(scratch.file('data/pki/server.crt'), 'utf8'), before);
    assert.deepEqual([server.authority, server.certificate], [authority, certificate]);
  });
});

/** Without the rights of the user of this test, which may be root: a process cannot raise its priority again. */
const unprivileged = ['unshare', '--user', 'nice', '-n', '19'] as const;
const canUnshare = spawnSync(unprivileged[0], [...unprivileged.slice(1), 'true']).status === 0;

describe('a server with the lowest priority', { timeout: 60_000 }, () => {
  const skip = canUnshare ? false : 'this machine allows no user namespaces';
  test('takes large bodies, whose thread cannot have another priority', { skip }, async () => {
    using scratch = new Scratch();
    const command = scratch.file('flotilla');
    writeFileSync(command, `#!/bin/sh\nexec ${unprivileged.join(' ')} '${launcher}' "$@"\n`, { mode: 0o700 });
    const server = await startFlotilla(['--memory'], scratch.file('kubeconfig'), { command });
    const data = { text: 'x'.repeat(100_000) };
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data });
    const target = '/api/v1/namespaces/default/configmaps';
    const { status, text } = await exchangeHttp1(server, { method: 'POST', target, body }, asAdministrator(server));
    await server.stop();
    assert.equal(status, 201, text);
  });
});

describe('the launcher', { timeout: 60_000 }, () => {
  test('works through a link, from another folder, with another node first on PATH, and keeps its process id', async () => {
    using scratch = new Scratch();
    mkdirSync(scratch.file('bin'));
    symlinkSync(launcher, scratch.file('bin/flotilla'));
    writeFileSync(scratch.file('bin/node'), '#!/bin/sh\necho "this is no node" >&2\nexit 9\n', { mode: 0o755 });
    const server = await startFlotilla(['--memory'], scratch.file('kubeconfig'), {
      command: scratch.file('bin/flotilla'),
      cwd: scratch.path,
      env: { ...process.env, PATH: `${dirname(scratch.file('bin/node'))}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    const became = readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8');
    assert.equal((await server.stop()).code, 0);
    assert.match(became, /node\0.*main\.(ts|mjs)/s);
  });
});

const foreignKubeconfig = `apiVersion: v1
kind: Config
preferences:
  colors: true
clusters:
- name: theirs
  cluster:
    server: https://example.com
users:
- name: theirs
  user: {}
contexts:
- name: theirs
  context: {cluster: theirs, user: theirs}
current-context: theirs
`;

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
