import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors } from './api-errors.ts';
import { ApiError, failure, ignoreNotFound, isAlreadyExists, isConflict, isExpired, isNotFound } from './api-status.ts';

const pods = { group: '', resource: 'pods' };

describe('an API error', () => {
  test('is recognised by its Status', () => {
    assert.ok(isNotFound(apiErrors.notFound(pods, 'web')));
    assert.ok(isAlreadyExists(apiErrors.alreadyExists(pods, 'web')));
    assert.ok(isConflict(apiErrors.objectModified(pods, 'web')));
    assert.ok(isConflict(new ApiError(failure({ code: 409, reason: '', message: '' }))));
    assert.ok(isExpired(new ApiError(failure({ code: 410, reason: 'Expired', message: '' }))));
  });

  test('AlreadyExists is no conflict, though both are 409', () => {
    assert.ok(!isConflict(apiErrors.alreadyExists(pods, 'web')));
    assert.ok(!isAlreadyExists(apiErrors.objectModified(pods, 'web')));
  });

  test('of another code is rethrown', async () => {
    assert.equal(await Promise.reject(apiErrors.notFound(pods, 'web')).catch(ignoreNotFound), undefined);
    await assert.rejects(Promise.reject(new Error('no way there')).catch(ignoreNotFound), /no way there/);
  });
});
