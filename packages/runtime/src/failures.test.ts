import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { dispositionOf, InvariantError, NotYet, TransientError, UserError } from './failures.ts';

function answered(code: number, reason: string, cause?: string): ApiError {
  const details = { causes: cause === undefined ? [] : [{ reason: cause }] };
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, details });
}

const cases: readonly [claim: string, error: unknown, disposition: string][] = [
  ['a UserError waits for a change', new UserError('Wrong', 'is wrong'), 'await-change'],
  ['NotYet is requeued after its time', new NotYet('not ready', 100), 'requeue-after'],
  ['a conflict is requeued', answered(409, 'Conflict'), 'requeue'],
  ['a create of an existing object is requeued', answered(409, 'AlreadyExists'), 'requeue'],
  ['a write to a deleted object is requeued', answered(404, 'NotFound'), 'requeue'],
  ['a throttled request backs off', answered(429, 'TooManyRequests'), 'back-off'],
  ['an internal error of the server backs off', answered(500, 'InternalError'), 'back-off'],
  ['a create in a terminating namespace is requeued', answered(403, 'Forbidden', 'NamespaceTerminating'), 'requeue'],
  ['a lost connection backs off', new ConnectionError('cut', 'cut'), 'back-off'],
  ['a TransientError backs off', new TransientError('unavailable'), 'back-off'],
  ['a refused request backs off and alerts', answered(422, 'Invalid'), 'back-off-and-alert'],
  ['an InvariantError backs off and alerts', new InvariantError('two owners'), 'back-off-and-alert'],
  ['any other thrown value backs off and alerts', 'a string', 'back-off-and-alert'],
];

for (const [claim, error, disposition] of cases) {
  test(claim, () => assert.equal(dispositionOf(error).kind, disposition));
}
