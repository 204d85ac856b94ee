import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiErrors } from '@flotilla/kube';
import { retryDelay } from './resuming.ts';

const random = (): number => 0.5;

test('a server that asks for patience gets some, and not for ever', () => {
  assert.equal(retryDelay(apiErrors.timeout('busy', 7), 0, random), 7000);
  assert.equal(retryDelay(apiErrors.timeout('busy', 1e9), 0, random), 60_000);
});
