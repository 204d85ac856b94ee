/** The tour of the README, run as a user runs it: each command prints what the README shows. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startFleet } from '@flotilla/fleet';
import { launcher, Scratch } from './flotilla-process.ts';

const root = resolve(import.meta.dirname, '..');

interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The commands of all blocks, and what the page shows below each. */
function commandsIn(page: string): Shown[] {
  return [...page.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
    .map((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return { command, output: lines.join('\n') };
    });
}

/** Ages and the ends of generated names differ, and so does what aligns columns. */
function comparable(text: string): string {
  return text
    .trimEnd()
    .replaceAll(/-[0-9a-f]{8} \(/g, '-ID (')
    .replaceAll(/\b\d+(?:m\d*s?|s)(?= |$)/gm, 'AGE')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/ +$/gm, '');
}

/** Commands that only look: the fleet needs a moment until they show what the page shows. */
function isLook(command: string): boolean {
  return /^(?:flotilla (?:get|why|tree|status|describe)|kubectl-fleet runs)\b/.test(command);
}

test('README shows a tour that works', async () => {
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
      return comparable(stdout);
    };
    const commands = commandsIn(readFileSync(resolve(root, 'README.md'), 'utf8'));
    assert.ok(commands.length >= 10);
    for (const { command, output } of commands) {
      const wanted = comparable(output);
      let printed = await run(command);
      for (let tries = 0; isLook(command) && printed !== wanted && tries < 40; tries++) printed = await run(command);
      assert.equal(printed, wanted, `$ ${command}`);
    }
  } finally {
    await fleet.stop();
  }
});
