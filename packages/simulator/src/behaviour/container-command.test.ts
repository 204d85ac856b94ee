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

test('nothing is known of other commands', () => {
  assert.equal(exitOfCommand({}), undefined);
  assert.equal(exitOf('nginx', '-g', 'daemon off;'), undefined);
  assert.equal(exitOf('sh', '-c', 'curl x && exit 1'), undefined);
  assert.equal(exitOf('sh', '-c', 'if [ $RANDOM -gt 1 ]; then exit 1; fi'), undefined);
  assert.equal(exitOf('sh', '-c', 'exit 1', 'x'), undefined);
  assert.equal(exitOf('sleep', '-1'), undefined);
  assert.equal(exitOf('sh', '-c', `exit ${'1'.repeat(100_000)}`), undefined);
  assert.equal(exitOf('sh', '-c', ' '.repeat(100_000)), undefined);
});
