import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { configMaps, namespaces, Story } from '../placements/story.ts';
import { Scratch } from '../flotilla-process.ts';
import { runCommand } from './command-shell.ts';

test('delete accepts that an object went with its namespace, which the same command deletes', async (t) => {
  const story = await Story.start(t);
  using scratch = new Scratch();
  const metadata = { name: 'never', namespace: 'gone' };
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'gone' } };
  await story.hub.create(namespaces, namespace);
  writeFileSync(scratch.file('a.yaml'), [namespace, configMap].map((one) => JSON.stringify(one)).join('\n---\n'));
  const { lines, error } = await runCommand(story, 'delete', '-f', scratch.file('a.yaml'), '--no-wait');
  assert.deepEqual([lines, error], [['namespace "gone" deleted'], undefined]);
  writeFileSync(scratch.file('b.yaml'), JSON.stringify(configMap));
  assert.match(String((await runCommand(story, 'delete', '-f', scratch.file('b.yaml'))).error), /not found/);
});

test('delete says what it waits for, and gives up after --timeout', async (t) => {
  const story = await Story.start(t);
  const metadata = { name: 'held', namespace: 'default', finalizers: ['example.com/keep'] };
  await story.hub.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  const { lines, error } = await runCommand(story, 'delete', 'cm', 'held', '--timeout', '5s');
  assert.deepEqual(lines, [
    'configmap "held" deleted from default namespace',
    'Waiting until configmap "held" is gone; finalizers example.com/keep are left.',
  ]);
  assert.ok(error);
});
