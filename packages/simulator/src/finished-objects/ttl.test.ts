import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../kinds.ts';
import { ttlController } from './ttl-controller.ts';

const end = Date.parse('2026-11-16T00:00:00Z');
const job: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work', namespace: 'default', uid: 'u' },
  spec: { ttlSecondsAfterFinished: 60 },
  status: { conditions: [{ type: 'Failed', status: 'True', lastTransitionTime: '2026-11-16T00:00:00Z' }] },
};

test('deletes a finished Job when its time to live is over, and waits until then', () => {
  assert.equal(ttlController.decide(job, new Date(end + 20_000)).requeueAfterMs, 40_000);
  const { steps } = ttlController.decide(job, new Date(end + 60_000));
  const key = { namespace: 'default', name: 'work' };
  const [write] = steps.flat();
  assert.deepEqual(write?.verb === 'delete' && { key: write.key, uid: write.uid, policy: write.propagationPolicy }, {
    key,
    uid: 'u',
    policy: 'Foreground',
  });
});

test('leaves Jobs alone that run, are being deleted, or have no time to live', () => {
  const [watched] = ttlController.watches;
  const isWatched = (object: Job): boolean => [...(watched?.concerns(object, undefined, {} as never) ?? [])].length > 0;
  assert.ok(isWatched(job));
  assert.ok(!isWatched({ ...job, status: {} }));
  assert.ok(!isWatched({ ...job, spec: {} }));
  assert.ok(!isWatched({ ...job, metadata: { ...job.metadata, deletionTimestamp: '2026-11-16T00:00:00Z' } }));
});
