import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Work } from '@flotilla/api';
import type { Outcome } from '../manifest/outcome.ts';
import { isAboutToBeAvailable } from './is-about-to-be-available.ts';

const identifier = { ordinal: 0, version: 'v1', kind: 'Deployment', resource: 'deployments', name: 'web' };
const available: Outcome = { identifier, result: 'Applied', availability: { result: 'Available' } };
const starting: Outcome = { ...available, availability: { result: 'ManifestNotAvailableYet' } };

function aWork(reportedGeneration?: number): Work {
  const applied = {
    type: 'Applied',
    status: 'True',
    reason: 'AllManifestsApplied',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name: 'web', generation: 4 },
    ...(reportedGeneration !== undefined && {
      status: { conditions: [{ ...applied, observedGeneration: reportedGeneration }], manifestConditions: [] },
    }),
  };
}

test('a first report waits for objects that are applied and not available yet', () => {
  assert.equal(isAboutToBeAvailable(aWork(), [available, starting]), true);
  assert.equal(isAboutToBeAvailable(aWork(3), [starting]), true);
});

test('nothing else waits', () => {
  assert.equal(isAboutToBeAvailable(aWork(4), [starting]), false, 'reported before');
  assert.equal(isAboutToBeAvailable(aWork(), [available]), false, 'available');
  const problems: Outcome[] = [
    { identifier, result: 'ManifestApplyFailed', problem: 'refused' },
    { ...starting, drifts: [{ path: '/spec', valueInHub: '1' }] },
    { ...available, availability: { result: 'Failed', problem: 'odd' } },
    { identifier, result: 'FoundDiff' },
  ];
  for (const problem of problems) {
    assert.equal(isAboutToBeAvailable(aWork(), [starting, problem]), false, problem.result);
  }
});
