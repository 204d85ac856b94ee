import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, Story } from '../placements/story.ts';
import { runCommand } from './command-shell.ts';

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
