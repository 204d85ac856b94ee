import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '@flotilla/client';
import { configMaps, namespaces } from '@flotilla/kube';
import { runFlotilla, Scratch, startCommand } from '../flotilla-process.ts';

describe('flotilla member', { timeout: 120_000 }, () => {
  let scratch: Scratch;
  let fleet: Awaited<ReturnType<typeof startCommand>>;
  const start = async (...more: string[]): Promise<void> => {
    const command = ['up', '--port', '0', '--data-dir', scratch.file('.data/hub'), ...more];
    fleet = await startCommand(command, 'Ctrl-C stops it.');
  };
  before(async () => {
    scratch = new Scratch();
    await start('--members', '2');
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });

  /** In the directory that `flotilla up` was started in, the kubeconfig needs no name. */
  const run = (...args: string[]): ReturnType<typeof runFlotilla> => {
    const { KUBECONFIG: _, ...env } = process.env;
    return runFlotilla(['member', ...args], { cwd: scratch.path, env });
  };

  async function succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }

  async function failWith(message: RegExp, ...args: string[]): Promise<void> {
    const { code, stderr } = await run(...args);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }

  test('stops a member and starts it again with its objects', async () => {
    const member = await connect({
      kubeconfig: scratch.file('.data/hub/kubeconfig'),
      context: 'member-1',
      environment: {},
    });
    const watching = member.watch(namespaces, { resourceVersion: '0', signal: new AbortController().signal });
    const watched = Array.fromAsync(watching, ({ object }) => object.metadata.name);
    assert.equal(
      await succeed('stop', 'member-1'),
      'member-1 has faults: stop. End them with: flotilla member start member-1\n',
    );
    assert.ok((await watched).includes('kube-system'));
    await assert.rejects(member.list(configMaps), { code: 503, message: 'the cluster member-1 is stopped' });
    assert.equal(await succeed('list'), 'NAME       FAULTS\nmember-1   stop\nmember-2   none\n');
    assert.equal(await succeed('start', 'member-1'), 'member-1 runs without faults.\n');
    assert.ok((await member.list(configMaps)).items.length > 0);
    await member.close();
  });

  test('adds faults to those that the member has, also as JSON', async () => {
    await succeed('slow', 'member-2', '300ms');
    await succeed('partition', 'member-2');
    const failed = await succeed('fail', 'member-2', '--api', '30%', '--clock', '-90s', '--webhook', '-o', 'json');
    const faults = ['partition', 'slow 300ms', 'fail api 30%', 'fail webhook', 'fail clock -1m30s'];
    assert.deepEqual(JSON.parse(failed), { member: 'member-2', faults });
    assert.deepEqual(JSON.parse(await succeed('list', '-o', 'json')), [
      { member: 'member-1', faults: [] },
      { member: 'member-2', faults },
    ]);
    await succeed('start', 'member-2');
    assert.match(await succeed('fail', 'member-2'), /^member-2 has faults: fail workloads\./);
    await succeed('start', 'member-2');
  });

  test('explains what is wrong with a command', async () => {
    await failWith(/^flotilla: there is no member oslo; the members are member-1, member-2\.\n$/, 'stop', 'oslo');
    await failWith(/^flotilla: time: invalid duration "soon"; write for instance /, 'slow', 'member-1', 'soon');
    await failWith(/^flotilla: "lots" is not a share of requests; /, 'fail', 'member-1', '--api', 'lots');
    await failWith(/^flotilla: no fleet with simulated members runs on this server; /, 'list', '--context', 'member-1');
    await failWith(/^flotilla: .*nowhere/, 'list', '--kubeconfig', 'nowhere');
  });

  test('leaves faults that a restarted fleet begins with', async () => {
    await succeed('stop', 'member-2');
    await fleet.stop('SIGINT');
    await failWith(/^flotilla: .*ECONNREFUSED/, 'list');
    await start();
    assert.equal(await succeed('list'), 'NAME       FAULTS\nmember-1   none\nmember-2   stop\n');
  });
});
