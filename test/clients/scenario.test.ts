import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios, parseScenario } from './scenario.ts';

test('a scenario is commands, settings and files', () => {
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

test('a line that is neither comment, setting nor command is refused', () => {
  assert.throws(() => parseScenario('x', 'kubectl get pods\n'), /scenario x: cannot read the line: kubectl get pods/);
});

test('every scenario mentions only files that it has', () => {
  for (const { name, commands, files } of loadScenarios()) {
    const paths = files.map(({ path }) => path);
    for (const [, path = ''] of commands.join('\n').matchAll(/ -f ([\w./-]+\.(?:yaml|json))/g)) {
      assert.ok(paths.includes(path) || path === 'missing.yaml', `${name} has no file ${path}`);
    }
  }
});
