import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installedTools } from './installed-tools.ts';
import { shellQuoted } from './shell-quoted.ts';

describe('the programs that a user can type', () => {
  const checkout = '/my fleet/node_modules/.bin';
  const launcher = `${checkout}/flotilla`;
  const programs = new Set([launcher, '/usr/bin/flotilla', '/opt/bin/kubectl']);
  const cases: readonly (readonly [string, Record<string, string>, string, boolean])[] = [
    ['a name on PATH', { PATH: '/usr/bin' }, 'flotilla', false],
    ['the path that was typed', { PATH: '/bin', FLOTILLA_LAUNCHER: launcher }, `'${launcher}'`, false],
    ['npx, below npm', { PATH: `${checkout}:/opt/bin`, npm_execpath: '/npm' }, 'npx flotilla', true],
    ['a name on PATH, also below npm', { PATH: `${checkout}:/usr/bin`, npm_execpath: '/npm' }, 'flotilla', false],
    ['a folder of npm that the user has added', { PATH: checkout }, 'flotilla', false],
  ];
  for (const [claim, environment, flotilla, hasKubectl] of cases) {
    test(`are ${claim}`, () => {
      assert.deepEqual(
        installedTools(environment, (file) => programs.has(file)),
        { flotilla, hasKubectl },
      );
    });
  }
});

test('a shell reads a quoted word as it is', () => {
  assert.equal(shellQuoted('/data/fleet-1/kubeconfig'), '/data/fleet-1/kubeconfig');
  assert.equal(shellQuoted("/it's $HOME"), "'/it'\\''s $HOME'");
  assert.equal(shellQuoted('/größe'), "'/größe'");
});
