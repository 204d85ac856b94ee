import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitOfCommand } from './container-command.ts';

function exitOf(...command: string[]): unknown {
  const exit = exitOfCommand({ command });
  return exit === undefined || exit === 'never' ? exit : `${exit.code} after ${exit.afterMs}`;
}

test('plain commands end as they would in a container', () => {
  assert.equal(exitOf('sleep', '1000000'), '0 after 1000000000');
  assert.equal(exitOf('/bin/sleep', '1.5'), '0 after 1500');
  assert.equal(exitOf('sleep', 'infinity'), 'never');
  assert.equal(exitOf('sh', '-c', 'sleep 2m; exit 3'), '3 after 120000');
  assert.equal(exitOf('/bin/bash', '-c', ' exit 42 '), '42 after 0');
  assert.equal(exitOf('/bin/sh', '-c', 'sleep 1 && false'), '1 after 1000');
  assert.equal(exitOf('true'), '0 after 0');
  assert.equal(exitOf('false'), '1 after 0');
  assert.equal(exitOfCommand({ args: ['pause'] }), 'never');
  assert.equal(exitOfCommand({ image: 'registry.test/pause:3.10' }), 'never');
});

test('the index of an Indexed Job decides between two plain commands', () => {
  const exits = (script: string) =>
    [0, 1, 2, 3].map((index) => {
      const exit = exitOfCommand({ command: ['sh', '-c'], args: [script] }, index);
      return typeof exit === 'object' ? exit.code : exit;
    });
  const odd = `
    if [ $(expr \${JOB_COMPLETION_INDEX} % 2) -ne 0 ]; then
      exit 1
    else
      exit 0
    fi`;
  assert.deepEqual(exits(odd), [0, 1, 0, 1]);
  assert.deepEqual(exits('if [ $JOB_COMPLETION_INDEX -ge 2 ]; then sleep inf; else exit 7; fi'), [
    7,
    7,
    'never',
    'never',
  ]);
  assert.deepEqual(exits('if [ $JOB_COMPLETION_INDEX -ge 2 ]; then ./run; else exit 7; fi'), [
    7,
    7,
    undefined,
    undefined,
  ]);
  assert.equal(exitOfCommand({ command: ['sh', '-c', odd] }), undefined);
});

test('nothing is known of other commands', () => {
  assert.equal(exitOfCommand({}), undefined);
  assert.equal(exitOf('nginx', '-g', 'daemon off;'), undefined);
  assert.equal(exitOf('sh', '-c', 'curl x && exit 1'), undefined);
  assert.equal(exitOf('sh', '-c', 'exit 1', 'x'), undefined);
  assert.equal(exitOf('sleep', '-1'), undefined);
  assert.equal(exitOf('sh', '-c', `exit ${'1'.repeat(100_000)}`), undefined);
  assert.equal(exitOf('sh', '-c', ' '.repeat(100_000)), undefined);
});
