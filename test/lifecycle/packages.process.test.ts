import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { pack } from '../../scripts/pack.ts';
import { Scratch } from '../flotilla-process.ts';

const root = resolve(import.meta.dirname, '../..');

/** Libraries that the packages need, and their dependencies. npm takes them from here: the test needs no network. */
function libraries(): string[] {
  const manifests = globSync('packages/*/package.json', { cwd: root });
  const names = manifests.flatMap((file) => Object.keys(dependenciesIn(join(root, file))));
  return closure(names.filter((name) => !name.startsWith('@flotilla/')));
}

function closure(names: readonly string[]): string[] {
  const found = new Set(names);
  for (const name of found) {
    for (const next of Object.keys(dependenciesIn(join(root, 'node_modules', name, 'package.json')))) found.add(next);
  }
  return [...found];
}

function dependenciesIn(manifest: string): Readonly<Record<string, string>> {
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
  return dependencies;
}

/** A program of a user: a test of a placement, in plain JavaScript. */
const program = `
import { configMap, startTestFleet } from '@flotilla/testkit';
import { startFleet } from '@flotilla/fleet';
const fleet = await startTestFleet({ members: ['oslo', 'rome'] });
const work = await fleet.createWork('oslo', 'prices', configMap('prices', { currency: 'EUR' }));
await fleet.stop();
const other = await startFleet({ members: 1 });
await other.stop();
console.log(JSON.stringify({
  applied: work.status.conditions.find(({ type }) => type === 'Applied').status,
  members: [...other.members.keys()],
}));
`;

describe('packages that a user installs', { timeout: 300_000 }, () => {
  let scratch: Scratch;
  const environment = () => ({
    ...process.env,
    // The launcher takes this Node, because the test leaves out the large packages of Node itself.
    PATH: [dirname(process.execPath), scratch.file('node_modules/.bin'), process.env['PATH']].join(delimiter),
    HOME: scratch.path,
    XDG_STATE_HOME: scratch.file('state'),
    KUBECONFIG: '',
  });
  const run = async (command: string, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(command, args, { cwd: scratch.path, env: environment() });
    return stdout;
  };
  before(async () => {
    scratch = new Scratch();
    const tarballs = await pack(scratch.file('tarballs'));
    const folders = libraries().map((name) => join(root, 'node_modules', name));
    const packed = await run(
      'npm',
      'pack',
      '--silent',
      '--ignore-scripts',
      '--pack-destination',
      'tarballs',
      ...folders,
    );
    const all = [...tarballs.map((file) => basename(file)), ...packed.trim().split('\n')];
    writeFileSync(scratch.file('package.json'), JSON.stringify({ private: true, type: 'module' }));
    const flags = ['--offline', '--omit=optional', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', 'install', ...flags, ...all.map((file) => `./tarballs/${file}`));
  });
  after(() => scratch[Symbol.dispose]());

  test('start fleets in a program of the user', async () => {
    writeFileSync(scratch.file('test.js'), program);
    assert.deepEqual(JSON.parse(await run(process.execPath, 'test.js')), { applied: 'True', members: ['member-1'] });
  });

  test('have types', async () => {
    writeFileSync(
      scratch.file('typed.ts'),
      `import { startTestFleet, type TestFleet } from '@flotilla/testkit';
       export const fleet: TestFleet = await startTestFleet({ members: 2 });
       // @ts-expect-error: members are a number or names.
       await startTestFleet({ members: true });`,
    );
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    assert.equal(await run(join(root, 'node_modules/.bin/tsc'), ...options, ...types, 'typed.ts'), '');
  });

  test('have commands that run a fleet', async () => {
    const up = ['up', '--memory', '--members', '1', '--port', '0', '--background', '-o', 'json'];
    const { kubeconfig } = JSON.parse(await run('npx', '--offline', 'flotilla', ...up)) as { kubeconfig: string };
    try {
      assert.equal(await run('kubectl-fleet', 'runs', '--kubeconfig', kubeconfig, '-o', 'json'), '[]\n');
      assert.match(await run('flotilla', 'member', 'list'), /^member-1 +none$/m);
    } finally {
      assert.match(await run('flotilla', 'down'), /^Fleet "fleet" has stopped\.\n$/);
    }
  });
});
