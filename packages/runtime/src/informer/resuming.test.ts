import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiErrors } from '@flotilla/kube';
import { retryDelay } from './resuming.ts';

const random = (): number => 0.5;

test('Retry-After is honoured up to a limit', () => {
  assert.equal(retryDelay(apiErrors.timeout('busy', 7), 0, random), 7000);
  assert.equal(retryDelay(apiErrors.timeout('busy', 1e9), 0, random), 60_000);
});
