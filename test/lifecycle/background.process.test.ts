import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { connect } from '@flotilla/client';
import { launcher, runFlotilla, Scratch } from '../flotilla-process.ts';
import { hasTerminals, linesIn, TerminalProcess } from '../terminal-process.ts';

/** The fields that the tests read. */
interface ReadyFleet {
  readonly pid: number;
  readonly url: string;
  readonly kubeconfig: string;
  readonly log: string;
}

describe('a fleet in the background', { timeout: 90_000 }, () => {
  let scratch: Scratch;
  let fleet: ReadyFleet;
  const environment = () => ({
    ...process.env,
    HOME: scratch.path,
    XDG_STATE_HOME: scratch.file('state'),
    KUBECONFIG: '',
  });
  const flotilla = (...args: string[]) => runFlotilla(args, { cwd: scratch.path, env: environment() });
  const up = (...args: string[]) => flotilla('up', '--members', '1', '--port', '0', '--background', ...args);
  before(async () => {
    scratch = new Scratch();
    const { code, stdout, stderr } = await up('-o', 'json');
    assert.equal(code, 0, stderr);
    fleet = JSON.parse(stdout) as ReadyFleet;
  });
  after(async () => {
    for (const name of ['fleet', 'second']) await flotilla('down', '--name', name);
    scratch[Symbol.dispose]();
  });

  test('is ready when the command returns, and leaves the kubeconfig of the user alone', async () => {
    assert.equal(fleet.kubeconfig, scratch.file('.data/fleet/kubeconfig'));
    const hub = await connect({ kubeconfig: fleet.kubeconfig, environment: {} });
    const [member] = (await hub.list(memberClusters)).items;
    await hub.close();
    assert.equal(member?.status?.conditions?.find(({ type }) => type === 'Joined')?.status, 'True');
    assert.equal(existsSync(scratch.file('.kube/config')), false);
  });

  test('is named by a command that deletes there without naming a server', async () => {
    const here = await flotilla('delete', 'ns', 'none', '--ignore-not-found');
    assert.deepEqual([here.code, here.stderr], [0, `Using fleet "fleet" of this directory at ${fleet.url}.\n`]);
    mkdirSync(scratch.file('.kube'));
    const config = {
      clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
      users: [{ name: 'a', user: {} }],
    };
    const contexts = [{ name: 'theirs', context: { cluster: 'a', user: 'a' } }];
    writeFileSync(scratch.file('.kube/config'), JSON.stringify({ ...config, contexts, 'current-context': 'theirs' }));
    const there = { cwd: scratch.file('.kube'), env: environment() };
    const elsewhere = await runFlotilla(['delete', 'ns', 'none'], there);
    const named = await runFlotilla(['status', '--name', 'fleet'], there);
    rmSync(scratch.file('.kube'), { recursive: true });
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /^flotilla: .*127\.0\.0\.1:1\b.* These run: fleet "fleet" with --kubeconfig /);
    assert.ok(named.stdout.startsWith(`Hub ${fleet.url}: 1 member, 1 ready;`), named.stderr);
  });

  test('is found by a second up, which cannot change it', async () => {
    const second = await flotilla('up');
    assert.deepEqual([second.code, second.stderr], [0, '']);
    assert.match(second.stdout, new RegExp(`^Fleet "fleet" already runs at ${fleet.url} .*process ${fleet.pid}`));
    const { code, stderr } = await up();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^flotilla: fleet "fleet" already runs .* --members has no effect; stop it first with .*\.\n$/,
    );
  });

  test('is named by a fleet that needs its port, which fails before the command returns', async () => {
    const port = new URL(fleet.url).port;
    const { code, stderr } = await flotilla('up', '--name', 'second', '--port', port, '--background', '--memory');
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^flotilla: port ${port} is in use by fleet "fleet" \\(process ${fleet.pid}\\);`));
  });

  test('stops with flotilla down, and starts again with the data of an earlier release and contexts of kubectl', async () => {
    const down = await flotilla('down');
    assert.deepEqual(
      [down.code, down.stdout, down.stderr],
      [
        0,
        `Fleet "fleet" has stopped. Its data is in ${scratch.file('.data/fleet')}.\n`,
        `Stopping fleet "fleet" (process ${fleet.pid}).\n`,
      ],
    );
    assert.match((await flotilla('get', 'ns')).stderr, /^flotilla: no fleet runs here: start one .*cannot connect to/);
    assert.equal(
      (await flotilla('down')).stderr,
      'flotilla: no fleet runs; start one with "flotilla up --background".\n',
    );
    assert.equal(readFileSync(fleet.log, 'utf8'), 'Stopping.\n');

    renameSync(scratch.file('.data/fleet'), scratch.file('.data/hub'));
    mkdirSync(scratch.file('.kube'));
    writeFileSync(scratch.file('.kube/config'), JSON.stringify({ 'current-context': 'theirs' }));
    const again = await flotilla('up', '--port', '0', '--background', '--merge');
    assert.match(again.stdout, /^Starting .*\/\.data\/hub, which an earlier release made\.\n/, again.stderr);
    assert.match(again.stdout, /1 member has joined\./);
    const merged = JSON.parse(readFileSync(scratch.file('.kube/config'), 'utf8')) as {
      readonly contexts: readonly { readonly name: string }[];
      readonly 'current-context': string;
    };
    assert.deepEqual(
      [merged.contexts.map(({ name }) => name), merged['current-context']],
      [['fleet-hub', 'fleet-member-1'], 'theirs'],
    );
  });

  test('that was killed is no obstacle', async () => {
    const { pid } = JSON.parse((await flotilla('up', '-o', 'json')).stdout) as ReadyFleet;
    process.kill(pid, 'SIGKILL');
    const { code, stdout } = await flotilla('up', '--port', '0', '--background', '-o', 'json');
    assert.equal(code, 0);
    fleet = JSON.parse(stdout) as ReadyFleet;
    assert.notEqual(fleet.pid, pid);
  });

  const skip = hasTerminals ? false : 'this machine has no script of util-linux';
  test('shows on a terminal that down waits for it', { skip }, async () => {
    process.kill(fleet.pid, 'SIGSTOP');
    const command = `"${launcher}" down -o json`;
    const terminal = new TerminalProcess(command, { columns: 80, cwd: scratch.path, env: environment() });
    await terminal.shows('Waiting for its end: 0s');
    process.kill(fleet.pid, 'SIGCONT');
    await terminal.ended;
    const [first, last = ''] = linesIn(terminal.output);
    assert.equal(first, `Stopping fleet "fleet" (process ${fleet.pid}).`);
    assert.equal((JSON.parse(last.slice(last.lastIndexOf('\r'))) as ReadyFleet).pid, fleet.pid);
  });
});
