import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runFlotilla, Scratch, startFlotilla, type Access, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from '../wire.ts';

const folder = new Scratch();
/** Stopped after the last test, so that a failed test leaves no process behind. */
const started: FlotillaProcess[] = [];
after(async () => {
  await Promise.all(started.map((server) => server.stop()));
  folder[Symbol.dispose]();
});
const scratch = folder.path;
const hub = join(scratch, 'hub');
const live = join(scratch, 'live.db');
const restored = join(scratch, 'restored');

const flotilla = (...args: string[]): ReturnType<typeof runFlotilla> => runFlotilla(args);
async function serverProcess(directory: string): Promise<FlotillaProcess> {
  const server = await startFlotilla(['--data-dir', directory], join(scratch, 'kubeconfig'));
  started.push(server);
  return server;
}

interface Answer {
  readonly status: number;
  readonly body: { readonly metadata?: { readonly resourceVersion?: string } };
}

async function ask(server: Access, target: string, object?: object): Promise<Answer> {
  const sent = object && { method: 'POST', body: JSON.stringify(object) };
  const { status, text } = await exchangeHttp1(server, { target, ...sent }, asAdministrator(server));
  return { status, body: JSON.parse(text) as Answer['body'] };
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text: 'x'.repeat(100_000) },
});

/** Contents and modes by name. */
const keysIn = (directory: string): unknown[] =>
  readdirSync(join(directory, 'pki')).map((name) => {
    const file = join(directory, 'pki', name);
    return [name, statSync(file).mode & 0o777, readFileSync(file, 'utf8')];
  });

test('backs up a running server so that another server can start from the copy', async () => {
  const server = await serverProcess(hub);
  for (let number = 0; number < 20; number++) {
    assert.equal((await ask(server, configMaps, configMap(`before-${number}`))).status, 201);
  }
  const { code, stdout, stderr } = await flotilla('backup', live, '--data-dir', hub, '-o', 'json');
  assert.equal(code, 0, stderr);
  const { size, mode } = statSync(live);
  const content = { isEncrypted: false, keys: 'all', missing: [] };
  assert.deepEqual(JSON.parse(stdout), { file: live, bytes: size, dataDirectory: hub, source: 'server', ...content });
  assert.ok(size > 2_000_000, `${size} bytes`);
  assert.equal(mode & 0o777, 0o600);
  const before = await ask(server, `${configMaps}/before-19`);
  await ask(server, configMaps, configMap('after'));
  assert.deepEqual(
    readdirSync(hub).filter((name) => name.startsWith('backup')),
    [],
  );
  await server.stop();

  assert.equal((await flotilla('restore', live, '--data-dir', restored)).code, 0);
  assert.deepEqual(keysIn(restored), keysIn(hub));
  assert.ok(!readFileSync(join(restored, 'flotilla.db')).includes('PRIVATE KEY'), 'a key is left in the database');
  const second = await serverProcess(restored);
  assert.deepEqual(await ask(second, `${configMaps}/before-19`), before);
  assert.equal((await ask(second, `${configMaps}/after`)).status, 404);
  const { body } = await ask(second, configMaps, configMap('new'));
  const gap = Number(body.metadata?.resourceVersion) - Number(before.body.metadata?.resourceVersion);
  assert.ok(gap > 1_000_000, 'revisions continue above all that the first server can have issued');

  const refused = await flotilla('restore', live, '--data-dir', restored);
  assert.equal(refused.code, 1);
  assert.equal(
    refused.stderr,
    `flotilla: the data directory ${restored} is in use by process ${second.child.pid}; name another directory with --data-dir.\n`,
  );
  await second.stop();
});

test('backs up the directory of a stopped server, and overwrites no file', async () => {
  const file = join(scratch, 'new folder', 'stopped.db');
  const { code, stdout } = await flotilla('backup', file, '--data-dir', hub);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /stopped\.db holds the objects of .*hub and its keys \([\d,]+ bytes\)\.\nIt is not encrypted: .*\nRestore it with: flotilla restore /,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const again = await flotilla('backup', file, '--data-dir', hub);
  assert.equal(again.code, 1);
  assert.equal(again.stderr, `flotilla: ${file} already exists; name another file, or remove it.\n`);
  assert.deepEqual(readdirSync(join(scratch, 'new folder')), ['stopped.db']);
});

test('encrypts a copy so that only its key restores it', async () => {
  const [file, key, wrong] = [join(scratch, 'sealed'), join(scratch, 'key'), join(scratch, 'wrong-key')];
  writeFileSync(key, 'correct horse battery staple\n');
  writeFileSync(wrong, 'incorrect horse battery staple');
  const { code, stdout, stderr } = await flotilla('backup', file, '--data-dir', hub, '--key-file', key);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /and its keys .*\nIt is encrypted\. Keep the key file elsewhere/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const content = readFileSync(file);
  for (const secret of ['PRIVATE KEY', 'SQLite', 'configmaps']) assert.ok(!content.includes(secret), secret);
  assert.deepEqual(
    readdirSync(hub).filter((name) => name.startsWith('backup')),
    [],
  );

  const target = join(scratch, 'unsealed');
  const without = await flotilla('restore', file, '--data-dir', target);
  assert.match(without.stderr, /^flotilla: .*sealed is encrypted; name the right key with --key-file.*\n$/);
  const other = await flotilla('restore', file, '--data-dir', target, '--key-file', wrong);
  assert.match(other.stderr, /^flotilla: .*sealed was encrypted with another key, or is damaged; .*\n$/);
  assert.ok(!existsSync(join(target, 'flotilla.db')));
  const right = await flotilla('restore', file, '--data-dir', target, '--key-file', key);
  assert.equal(right.code, 0, right.stderr);
  assert.deepEqual(keysIn(target), keysIn(hub));
});

test('restores a copy without keys, and says that the server needs new ones', async () => {
  const [bare, file, target] = [join(scratch, 'bare'), join(scratch, 'bare.db'), join(scratch, 'new-keys')];
  cpSync(hub, bare, { recursive: true });
  rmSync(join(bare, 'pki'), { recursive: true });
  const made = await flotilla('backup', file, '--data-dir', bare);
  assert.match(made.stdout, /holds the objects of .*bare, but no keys/);
  const { code, stdout } = await flotilla('restore', file, '--data-dir', target);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /The backup has no keys.*\nCopy the pki folder of the original to .*new-keys, or create new keys with --new/,
  );
  const refused = await flotilla('apiserver', '--port', '0', '--data-dir', target);
  assert.match(refused.stderr, /has data but no keys/);
});

test('fails with one line, and leaves no file behind', async () => {
  const none = join(scratch, 'none');
  const file = join(scratch, 'nothing.db');
  const missing = await flotilla('backup', file, '--data-dir', none);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /none does not exist or holds nothing yet; name another with --data-dir\.\n$/);
  assert.ok(!existsSync(file) && !existsSync(`${file}.partial`) && !existsSync(none));

  const occupied = await flotilla('restore', live, '--data-dir', hub);
  assert.match(occupied.stderr, /hub is not empty; restore into an empty one; nothing was changed\.\n$/);

  const bad = join(scratch, 'bad.db');
  writeFileSync(bad, 'no database at all');
  const target = join(scratch, 'target');
  const damaged = await flotilla('restore', bad, '--data-dir', target);
  assert.match(
    damaged.stderr,
    /bad\.db is damaged or not a database; nothing was changed; restore from another backup\.\n$/,
  );
  assert.ok(!existsSync(join(target, 'flotilla.db')));
});

test('names a server that has no kubeconfig, and what to do', async () => {
  const server = await serverProcess(join(scratch, 'lost'));
  rmSync(join(scratch, 'lost', 'kubeconfig'));
  const { code, stderr } = await flotilla('backup', join(scratch, 'lost.db'), '--data-dir', join(scratch, 'lost'));
  await server.stop();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /lost is in use by process \d+, and .*kubeconfig does not name its address; stop the server and try again/,
  );
});

test('reports a folder that cannot be written without a stack trace', async () => {
  writeFileSync(join(scratch, 'a-file'), '');
  const { code, stderr } = await flotilla('backup', join(scratch, 'a-file', 'copy.db'), '--data-dir', hub);
  assert.equal(code, 1);
  assert.match(stderr, /^flotilla: cannot make the backup: .*\.\n$/);
});
