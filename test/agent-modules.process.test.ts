import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Lists the modules that a process has loaded before an agent starts. */
const script = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(process.argv[1]);
  process.stdout.write(JSON.stringify(loaded));
`;

function loadedBy(module: string): string[] {
  const args = ['--input-type=module', '--eval', script, resolve(root, module)];
  const urls = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];
  return urls.map((url) => /\/(packages\/[\w-]+|apps\/flotilla|node_modules\/[@\w./-]+?)\//.exec(url)?.[1] ?? url);
}

test('an agent loads no server, no schemas and no table of kinds', () => {
  const all = loadedBy('apps/flotilla/src/agent/run.ts');
  // It also loads fetch and WebSocket: ten megabytes.
  assert.ok(!all.includes('node:http'), 'it loads node:http');
  const loaded = all.filter((module) => !module.startsWith('node:'));
  const expected = [
    'apps/flotilla',
    'node_modules/commander',
    'node_modules/js-yaml',
    ...['api', 'client', 'kube', 'member', 'runtime', 'timing'].map((name) => `packages/${name}`),
  ];
  assert.deepEqual([...new Set(loaded)].sort(), expected.sort());
  // Node finds and strips each module on its own, so a fast start needs few.
  assert.ok(loaded.length < 400, `it loads ${loaded.length} modules`);
});
