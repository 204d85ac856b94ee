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
