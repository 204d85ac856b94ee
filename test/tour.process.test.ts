/** The tour of the README, run as a user runs it: each command prints what the README shows. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startFleet } from '@flotilla/fleet';
import { launcher, Scratch } from './flotilla-process.ts';
import { playCommands, shownCommands } from './shown-commands.ts';

const root = resolve(import.meta.dirname, '..');

/** Commands that only look: the fleet needs a moment until they show what the page shows. */
function isLook(command: string): boolean {
  return /^(?:flotilla (?:get|why|tree|status|describe)|kubectl-fleet runs)\b/.test(command);
}

test('README shows a tour that works, and a way to clean up that keeps the members', async () => {
  using scratch = new Scratch();
  for (const name of ['flotilla', 'kubectl-fleet']) symlinkSync(launcher, scratch.file(name));
  const fleet = await startFleet({ members: 3 });
  try {
    writeFileSync(scratch.file('kubeconfig'), fleet.kubeconfig);
    const env = {
      ...process.env,
      HOME: scratch.path,
      KUBECONFIG: scratch.file('kubeconfig'),
      PATH: `${scratch.path}:${process.env['PATH']}`,
    };
    const run = async (command: string): Promise<string> => {
      const { stdout } = await promisify(execFile)('sh', ['-ec', command], { env, cwd: root });
      return stdout;
    };
    const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
    const commands = shownCommands(readme, '$ ');
    assert.ok(commands.length >= 10);
    await playCommands(commands, run, isLook);
    const [, cleanUp = ''] = /`(flotilla delete [^`]+)`/.exec(readme) ?? [];
    await run(cleanUp);
    const members = ['member-1', 'member-2', 'member-3'];
    assert.deepEqual(
      (await run('flotilla get memberclusters,crp -o name')).trim().split('\n'),
      members.map((name) => `membercluster.cluster.kubernetes-fleet.io/${name}`),
    );
  } finally {
    await fleet.stop();
  }
});
