/** `flotilla up` where something is wrong: a sentence says what, and what to do. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { launcher, runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

describe('flotilla up', { timeout: 60_000 }, () => {
  test('says the same about a data directory that cannot be, in the background and not', async () => {
    using scratch = new Scratch();
    writeFileSync(scratch.file('.data'), '');
    for (const more of [[], ['--background']]) {
      const { code, stderr } = await runFlotilla(['up', '--port', '0', ...more], { cwd: scratch.path });
      const why = 'it or a part of its path is a file; name another with --data-dir';
      const directory = scratch.file('.data/fleet');
      assert.deepEqual([code, stderr], [1, `flotilla: ${directory} cannot be the data directory: ${why}.\n`]);
    }
  });

  test('needs a place for the log of a fleet in memory', async () => {
    using scratch = new Scratch();
    writeFileSync(scratch.file('file'), '');
    const env = { PATH: process.env['PATH'], HOME: scratch.file('file'), XDG_STATE_HOME: '' };
    const { code, stderr } = await runFlotilla(['up', '--memory', '--background'], { env });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^flotilla: cannot write the log: ENOTDIR.*; set XDG_STATE_HOME to a folder that is writable\.\n$/,
    );
  });

  test('starts in any path, without a place for its record, and shares nothing with other users', async () => {
    using scratch = new Scratch();
    const folder = scratch.file("der Ort ist's, größer");
    mkdirSync(folder);
    writeFileSync(scratch.file('file'), '');
    const env = { PATH: process.env['PATH'], HOME: scratch.path, XDG_STATE_HOME: scratch.file('file/state') };
    const command = scratch.file('open-flotilla');
    writeFileSync(command, `#!/bin/sh\numask 000\nexec "${launcher}" "$@"\n`, { mode: 0o755 });
    const args = ['up', '--members', '1', '--port', '0', '--background'];
    const { code, stdout, stderr } = await runFlotilla(args, { command, cwd: folder, env });
    const pid = Number(/stop it with: kill (\d+)\n$/.exec(stderr)?.[1]);
    try {
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^flotilla: "flotilla down" will not find this fleet: ENOTDIR.*XDG_STATE_HOME/);
      assert.ok(stdout.includes(`  export KUBECONFIG='${folder.replace("'", "'\\''")}/.data/fleet/kubeconfig'\n`));
      const shared = readdirSync(folder, { recursive: true })
        .map((name) => join(folder, String(name)))
        .filter((file) => (statSync(file).mode & 0o077) !== 0);
      assert.deepEqual(shared, []);
    } finally {
      process.kill(pid);
    }
  });

  test('completes a first start that was killed', async () => {
    using scratch = new Scratch();
    const args = ['up', '--members', '1', '--port', '0', '--data-dir', scratch.file('data')];
    const first = await startCommand(args, 'Starting fleet');
    await first.stop('SIGKILL');
    const second = await startCommand(args, 'Ctrl-C stops it.');
    const { code, stderr } = await second.stop();
    assert.deepEqual([code, stderr], [0, '']);
  });
});

test('the launcher says which Node it needs, whatever the one of the machine is', async () => {
  using scratch = new Scratch();
  mkdirSync(scratch.file('bin'));
  copyFileSync(launcher, scratch.file('bin/flotilla'));
  for (const node of ['echo 20', 'echo broken >&2; exit 9']) {
    writeFileSync(scratch.file('bin/node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
    const env = { PATH: `${scratch.file('bin')}:/usr/bin:/bin` };
    const { code, stderr } = await runFlotilla(['up'], { command: scratch.file('bin/flotilla'), env });
    assert.equal(code, 1);
    assert.match(stderr, /^flotilla: cannot find Node 24 or newer; .*put a newer node on PATH\.\n$/);
  }
});
