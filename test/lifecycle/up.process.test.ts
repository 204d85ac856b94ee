import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { connect } from '@flotilla/client';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

interface Named {
  readonly name: string;
}

describe('flotilla up', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let fleet: Awaited<ReturnType<typeof startCommand>>;
  const command = (): string[] => ['up', '--port', '0', '--data-dir', scratch.file('data')];
  before(async () => {
    scratch = new Scratch();
    writeFileSync(scratch.file('kubeconfig'), JSON.stringify({ 'current-context': 'theirs' }));
    const args = ['--members', '2', '--write-kubeconfig', scratch.file('kubeconfig')];
    fleet = await startCommand([...command(), ...args], 'Ctrl-C stops it.');
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });

  test('writes contexts for the hub and its members, and keeps the current context', () => {
    for (const [file, current] of [
      ['kubeconfig', 'theirs'],
      ['data/kubeconfig', 'hub'],
    ] as const) {
      const config = JSON.parse(readFileSync(scratch.file(file), 'utf8')) as { readonly contexts: Named[] } & object;
      assert.deepEqual(
        config.contexts.map(({ name }) => name),
        ['hub', 'member-1', 'member-2'],
      );
      assert.equal((config as Record<string, unknown>)['current-context'], current);
    }
  });

  test('has members that have joined', async () => {
    const hub = await connect({ kubeconfig: scratch.file('data/kubeconfig'), environment: {} });
    const { items } = await hub.list(memberClusters);
    const joined = items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'Joined')?.status);
    assert.deepEqual(joined, ['True', 'True']);
    await hub.close();
  });

  test('makes a second fleet on the same data fail, and names the process that uses it', async () => {
    const { code, stderr } = await runFlotilla(command());
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `^flotilla: fleet "fleet" already runs at .* \\(process ${fleet.child.pid}\\), so that --port has no effect; stop it .*\\.\\n$`,
      ),
    );
  });

  test('can be backed up while it runs, with all its clusters', async () => {
    const { code, stderr } = await runFlotilla(['backup', scratch.file('copy'), '--data-dir', scratch.file('data')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(readdirSync(scratch.path).includes('copy'));
  });

  test('refuses options that are out of range or contradict each other', async () => {
    const { code, stderr } = await runFlotilla(['up', '--members', 'many']);
    assert.equal(code, 1);
    assert.match(stderr, /It must be a whole number from 0 to 2000\./);
    const both = await runFlotilla(['up', '--memory', '--data-dir', scratch.file('other')]);
    assert.match(both.stderr, /choose one/);
  });

  test('stops on SIGINT', async () => {
    const { code, stdout, stderr } = await fleet.stop('SIGINT');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /2 members have joined\.\n[\s\S]*\nStopping\.\n$/);
  });
});
