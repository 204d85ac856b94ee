/** Commands in a real terminal, narrow and wide: nothing is cut by its edge, and a file gets no codes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startFleet, type RunningFleet } from '@flotilla/fleet';
import { launcher, runFlotilla, Scratch } from '../flotilla-process.ts';
import { policyDecided } from './policy-decided.ts';
import { hasColours, hasTerminals, linesIn, TerminalProcess } from '../terminal-process.ts';

const skip = hasTerminals ? false : 'this machine has no script of util-linux';
const examples = resolve(import.meta.dirname, '../../examples/tour');
const escape = '\u001B[';

describe('in a terminal', { skip, timeout: 60_000 }, () => {
  const scratch = new Scratch();
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch.path,
    KUBECONFIG: scratch.file('kubeconfig'),
    XDG_STATE_HOME: scratch.file('state'),
  };
  let fleet: RunningFleet;
  before(async () => {
    fleet = await startFleet({ members: 3 });
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig);
    await runFlotilla(['apply', '-f', `${examples}/members/member-3.yaml`, '-f', `${examples}/2-shop.yaml`], { env });
    await policyDecided(fleet);
  });
  after(async () => {
    await fleet.stop();
    scratch[Symbol.dispose]();
  });
  const commands = ['status', 'why shop', 'why shop member-3', 'tree shop'];
  const all = commands.map((command) => `"${launcher}" ${command}`).join('; ');
  const shown = async (columns: number, more: NodeJS.ProcessEnv = {}): Promise<string> => {
    const terminal = new TerminalProcess(all, { columns, env: { ...env, ...more } });
    await terminal.ended;
    return terminal.output;
  };

  for (const columns of [80, 200]) {
    test(`status, why and tree fit into ${columns} columns, in colours`, async () => {
      const output = await shown(columns);
      assert.ok(hasColours(output));
      const lines = linesIn(output);
      assert.ok(lines.some((line) => line.includes('taint maintenance=yes:NoSchedule is not tolerated')));
      assert.deepEqual(
        lines.filter((line) => line.length > columns),
        [],
      );
    });
  }

  test('NO_COLOR and a dumb terminal get no codes', async () => {
    for (const more of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.ok(!(await shown(80, more)).includes(escape));
  });

  test('get prints what it prints into a file', async () => {
    const terminal = new TerminalProcess(`"${launcher}" get ns shop -o name`, { columns: 80, env });
    await terminal.ended;
    assert.equal(terminal.output, 'namespace/shop\r\n');
  });

  test('status --watch draws over itself, and Ctrl-C ends it', async () => {
    const terminal = new TerminalProcess(`"${launcher}" status --watch`, { columns: 80, rows: 30, env });
    await terminal.shows('Nothing is stuck.');
    await runFlotilla(['apply', '-f', `${examples}/1-everywhere.yaml`], { env });
    await terminal.shows('hello');
    terminal.type('\u0003');
    await terminal.ended;
    assert.ok(terminal.output.includes(`${escape}H`));
    // These delete what the user has seen before.
    for (const code of ['2J', '3J']) assert.ok(!terminal.output.includes(escape + code));
  });

  test('up says what to type next in lines that fit, and Ctrl-C stops it', async () => {
    const args = ['up', '--memory', '--members', '1', '--port', '0'].join(' ');
    const terminal = new TerminalProcess(`"${launcher}" ${args}`, { columns: 80, env });
    await terminal.shows('Ctrl-C stops it.');
    terminal.type('\u0003');
    await terminal.ended;
    assert.match(terminal.output, /\^C\r\nStopping\.\r\n$/);
    const sentences = linesIn(terminal.output).filter((line) => !line.startsWith('  '));
    assert.deepEqual(
      sentences.filter((line) => line.length > 80),
      [],
    );
  });
});
