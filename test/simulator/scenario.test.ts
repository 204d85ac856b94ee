import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordings } from './recordings.ts';
import { loadScenarios, parseScenarios } from './scenario.ts';

test('a step is a command with an optional body and pause', () => {
  const [scenario] = parseScenarios(`
objects:
  web: { kind: Deployment }
scenarios:
  two-steps:
    - create web
    - scale deployments/web 3 then wait 5s
    - patch deployments/web: { spec: { replicas: 2 } }
`);
  assert.deepEqual(scenario?.steps, [
    { command: 'create web', words: ['create', 'web'] },
    { command: 'scale deployments/web 3 then wait 5s', words: ['scale', 'deployments/web', '3'], pause: '5s' },
    {
      command: 'patch deployments/web: {"spec":{"replicas":2}}',
      words: ['patch', 'deployments/web'],
      body: { spec: { replicas: 2 } },
    },
  ]);
});

test('refuses two scenarios of one name in a file', () => {
  assert.throws(() => parseScenarios('scenarios:\n  a: []\n  a: []\n'), /already set/);
});

test('every scenario has a recording, and every recording a scenario', () => {
  const names = loadScenarios().map(({ name }) => name);
  assert.equal(new Set(names).size, names.length, 'names are unique');
  assert.deepEqual(
    names.filter((name) => !existsSync(recordings.pathOf({ name }))),
    [],
  );
  const recorded = readdirSync(join(import.meta.dirname, 'recorded')).map((file) => file.replace(/\.txt$/, ''));
  assert.deepEqual(
    recorded.filter((name) => !names.includes(name)),
    [],
  );
});
