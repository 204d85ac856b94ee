import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { launcher, runFlotilla, Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { asAdministrator, exchangeHttp1 } from '../wire.ts';

const statusOf = async (server: FlotillaProcess, target: string): Promise<number> =>
  (await exchangeHttp1(server, { target }, asAdministrator(server))).status;

describe('the keys and the data of a directory', { timeout: 120_000 }, () => {
  let scratch: Scratch;
  let directory: string;
  before(async () => {
    scratch = new Scratch();
    directory = scratch.file('original');
    const server = await startFlotilla(['--data-dir', directory], scratch.file('kubeconfig'));
    await server.stop();
  });
  after(() => scratch[Symbol.dispose]());

  /** A copy that a test may damage. */
  function copied(name: string): string {
    const copy = scratch.file(name);
    cpSync(directory, copy, { recursive: true });
    return copy;
  }
  const run = (command: string, copy: string) => runFlotilla([command, '--port', '0', '--data-dir', copy]);
  const start = (copy: string, ...args: string[]) =>
    startFlotilla(['--data-dir', copy, ...args], scratch.file('kubeconfig-of-copy'));

  for (const command of ['apiserver', 'hub', 'up']) {
    test(`are not replaced by ${command} if one key is missing`, async () => {
      const copy = copied(`no-key-${command}`);
      rmSync(`${copy}/pki/service-account.key`);
      const { code, stdout, stderr } = await run(command, copy);
      assert.equal(code, 1);
      assert.doesNotMatch(stdout, /Ready|ready/);
      assert.match(stderr, /^flotilla: .*pki\/service-account\.key cannot be found.*\n$/);
      assert.ok(!existsSync(`${copy}/pki/service-account.key`));
      assert.equal(readFileSync(`${copy}/pki/ca.key`, 'utf8'), readFileSync(`${directory}/pki/ca.key`, 'utf8'));
    });
  }

  test('are refused without each other, and no file is created', async () => {
    const noData = copied('no-data');
    rmSync(`${noData}/flotilla.db`);
    const first = await run('apiserver', noData);
    assert.equal(first.code, 1);
    assert.match(first.stderr, /^flotilla: .*no-data has keys but no data.*--new.*\n$/);
    assert.ok(!existsSync(`${noData}/flotilla.db`));

    const noKeys = copied('no-keys');
    renameSync(`${noKeys}/pki`, `${noKeys}/elsewhere`);
    const second = await run('hub', noKeys);
    assert.equal(second.code, 1);
    assert.match(second.stderr, /^flotilla: .*no-keys has data but no keys.*--new.*\n$/);
    assert.ok(!existsSync(`${noKeys}/pki`));
  });

  test('start from one half with --new', async () => {
    const noData = copied('new-data');
    writeFileSync(`${noData}/flotilla.db`, '');
    assert.equal((await run('apiserver', noData)).code, 1);
    const server = await start(noData, '--new');
    assert.equal(await statusOf(server, '/api/v1/namespaces/default'), 200);
    assert.equal(server.authority, readFileSync(`${directory}/pki/ca.crt`, 'utf8'));
    await server.stop();

    const noKeys = copied('new-keys');
    rmSync(`${noKeys}/pki`, { recursive: true });
    const other = await start(noKeys, '--new');
    assert.equal(await statusOf(other, '/api/v1/namespaces/default'), 200);
    assert.notEqual(other.authority, server.authority);
    await other.stop();
    const again = await start(noKeys);
    assert.equal(again.authority, other.authority);
    await again.stop();
  });

  test('start without the key of the CA while no certificate must be signed', async () => {
    const copy = copied('offline');
    rmSync(`${copy}/pki/ca.key`);
    const server = await start(copy);
    assert.equal(await statusOf(server, '/api/v1/namespaces/default'), 200);
    await server.stop();
    assert.ok(!existsSync(`${copy}/pki/ca.key`));
    rmSync(`${copy}/pki/server.crt`);
    const { code, stderr } = await run('apiserver', copy);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: .*pki\/ca\.key is missing, but a certificate must be signed: server\.crt .*\n$/);
  });

  test('are completed if a first start ended between the two', async () => {
    const copy = copied('unfinished');
    renameSync(`${copy}/pki`, `${copy}/pki.new`);
    const server = await start(copy);
    assert.equal(server.authority, readFileSync(`${directory}/pki/ca.crt`, 'utf8'));
    assert.ok(!existsSync(`${copy}/pki.new`));
    await server.stop();
  });

  test('are refused if other users can read a key', async () => {
    const copy = copied('shared');
    chmodSync(`${copy}/pki/service-account.key`, 0o644);
    const { code, stderr } = await run('apiserver', copy);
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: .*service-account\.key is a secret that other users .*chmod 600 .*\n$/);
  });

  const damages: readonly [what: string, damage: (copy: string) => void, sentence: RegExp][] = [
    ['a key that is garbage', (copy) => writeFileSync(`${copy}/pki/service-account.key`, 'x'), /holds no private key/],
    ['a certificate that is garbage', (copy) => writeFileSync(`${copy}/pki/server.crt`, 'x'), /holds no certificate/],
    [
      'a database that is a folder',
      (copy) => {
        rmSync(`${copy}/flotilla.db`);
        mkdirSync(`${copy}/flotilla.db`);
      },
      /flotilla\.db is a folder.*restore a backup/,
    ],
    [
      'a database that is garbage',
      (copy) => writeFileSync(`${copy}/flotilla.db`, 'x'.repeat(5000)),
      /restore a backup/,
    ],
    [
      'a directory that is a file',
      (copy) => {
        rmSync(copy, { recursive: true });
        writeFileSync(copy, '');
      },
      /cannot be the data directory.*--data-dir/,
    ],
  ];
  for (const [index, [what, damage, sentence]] of damages.entries()) {
    test(`fail with one line and no stack trace: ${what}`, async () => {
      const copy = copied(`damaged-${index}`);
      damage(copy);
      const { code, stderr } = await run('apiserver', copy);
      assert.equal(code, 1);
      assert.match(stderr, sentence);
      assert.match(stderr, /^flotilla: [^\n]*\n$/);
    });
  }

  /** Runs as root of a mount namespace of its own, so that mounts affect no other process. */
  const inNamespace = (script: string) => spawnSync('unshare', ['-Urm', 'sh', '-ec', script], { encoding: 'utf8' });
  const canMount = inNamespace('mount -t tmpfs tmpfs /mnt').status === 0;

  test('fail with one line on a read-only disk', { skip: canMount ? false : 'no disk can be mounted here' }, () => {
    const copy = copied('read-only');
    const mount = `mount --bind '${copy}' '${copy}' && mount -o remount,bind,ro '${copy}'`;
    const { status, stderr } = inNamespace(`${mount} && '${launcher}' apiserver --port 0 --data-dir '${copy}'`);
    assert.equal(status, 1);
    assert.match(stderr, /^flotilla: [^\n]*read-only[^\n]*make the disk writable[^\n]*\n$/);
  });
});

describe('--write-kubeconfig', { timeout: 60_000 }, () => {
  test('writes to a pipe without replacing it', async () => {
    using scratch = new Scratch();
    const pipe = scratch.file('pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
    const args = ['apiserver', '--memory', '--port', '0', '--write-kubeconfig', pipe];
    const server = spawn(launcher, args, { stdio: 'ignore' });
    const kubeconfig = JSON.parse(await text(reader.stdout)) as { kind: string };
    assert.equal(kubeconfig.kind, 'Config');
    server.kill();
    await once(server, 'exit');
    assert.ok(lstatSync(pipe).isFIFO());
  });
});

describe('an invalid member name', { timeout: 60_000 }, () => {
  const names: readonly [name: string, sentence: RegExp][] = [
    ['', /the name of the member is empty/],
    ['Oslo', /invalid member name "Oslo"/],
    ['a.b', /its namespace would be fleet-member-a\.b: must not contain dots/],
    ['a'.repeat(51), /must be no more than 63 characters/],
  ];
  for (const [name, sentence] of names) {
    test(`is refused before any request to the hub: ${JSON.stringify(name)}`, async () => {
      using scratch = new Scratch();
      const { code, stderr } = await runFlotilla(['join', name, '--write-kubeconfig', scratch.file('x')]);
      assert.equal(code, 1);
      assert.match(stderr, /^flotilla: [^\n]*\n$/);
      assert.match(stderr, sentence);
    });
  }
});
