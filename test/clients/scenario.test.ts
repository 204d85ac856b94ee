import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios, parseScenario } from './scenario.ts';

test('parses commands, settings and files of a scenario', () => {
  const scenario = parseScenario(
    'x',
    '# about\nnamespace: here\ngenerated: a- b-\n\n$ kubectl get pods\n$ cat f\n\n-- f --\none\n-- d/g.yaml --\ntwo\n',
  );
  assert.deepEqual(scenario.commands, ['kubectl get pods', 'cat f']);
  assert.equal(scenario.namespace, 'here');
  assert.deepEqual(scenario.generatedNames, ['a-', 'b-']);
  assert.deepEqual(scenario.files, [
    { path: 'f', content: 'one\n' },
    { path: 'd/g.yaml', content: 'two\n' },
  ]);
});

test('refuses a line that is neither comment, setting nor command', () => {
  assert.throws(() => parseScenario('x', 'kubectl get pods\n'), /scenario x: cannot parse the line: kubectl get pods/);
});

test('every scenario uses only files that it contains', () => {
  for (const { name, commands, files } of loadScenarios()) {
    const paths = files.map(({ path }) => path);
    for (const [, path = ''] of commands.join('\n').matchAll(/ -f ([\w./-]+\.(?:yaml|json))/g)) {
      assert.ok(paths.includes(path) || path === 'missing.yaml', `${name} has no file ${path}`);
    }
  }
});

test('fixed cluster IPs and node ports belong to one scenario, and are none that the server chooses itself', () => {
  const owners = new Map<string, string>();
  for (const { name, source } of loadScenarios()) {
    for (const [value] of source.matchAll(/(?<![\w.])(?:10\.0\.0\.\d{1,3}|3[0-2]\d{3})(?![\w./])/g)) {
      if (value === kubernetesService || value === notAnAddress) continue;
      assert.ok(isForRequests(value), `${name} uses ${value}, which a Service of another scenario can have`);
      assert.equal(owners.getOrInsert(value, name), name, `another scenario uses ${value} too`);
    }
  }
});

const kubernetesService = '10.0.0.1';
const notAnAddress = '10.0.0.300';

/** The lower bands of 10.0.0.0/24 and 30000-32767: servers choose from these only after all others are taken. */
function isForRequests(value: string): boolean {
  return value.includes('.') ? Number(value.split('.')[3]) <= 16 : Number(value) < 30_000 + 86;
}
