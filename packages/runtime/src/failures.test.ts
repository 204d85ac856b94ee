import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionError } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { dispositionOf, InvariantError, NotYet, TransientError, UserError } from './failures.ts';

function answered(code: number, reason: string): ApiError {
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code });
}

const cases: readonly [what: string, error: unknown, disposition: string][] = [
  ['a UserError waits for a change', new UserError('Wrong', 'is wrong'), 'await-change'],
  ['what is not ready is looked at again', new NotYet('not ready', 100), 'requeue-after'],
  ['an update that lost a race looks again', answered(409, 'Conflict'), 'requeue'],
  ['a create that lost a race looks again', answered(409, 'AlreadyExists'), 'requeue'],
  ['an object that vanished is a lost race', answered(404, 'NotFound'), 'requeue'],
  ['a busy server is left alone for a while', answered(429, 'TooManyRequests'), 'back-off'],
  ['a broken server is left alone for a while', answered(500, 'InternalError'), 'back-off'],
  ['a cut connection is left alone for a while', new ConnectionError('cut', 'cut'), 'back-off'],
  ['a dependency that fails is left alone for a while', new TransientError('ill'), 'back-off'],
  ['a request that the server refuses is our mistake', answered(422, 'Invalid'), 'back-off-and-alert'],
  ['a broken promise is our mistake', new InvariantError('two of them'), 'back-off-and-alert'],
  ['whatever else is thrown is our mistake', 'a string', 'back-off-and-alert'],
];

for (const [what, error, disposition] of cases) {
  test(what, () => assert.equal(dispositionOf(error).kind, disposition));
}
