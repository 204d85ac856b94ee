import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiErrors } from './api-errors.ts';
import { invalid, required } from './validation/field-error.ts';

const deployments = { group: 'apps', resource: 'deployments' };
const pods = { group: '', resource: 'pods' };

test('a missing object is named with its resource and group', () => {
  assert.equal(
    JSON.stringify(apiErrors.notFound(deployments, 'web').status),
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \\"web\\" not found",' +
      '"reason":"NotFound","details":{"name":"web","group":"apps","kind":"deployments"},"code":404}',
  );
});

test('omits the core group', () => {
  const { status } = apiErrors.alreadyExists(pods, 'web');
  assert.equal(status.message, 'pods "web" already exists');
  assert.deepEqual(status.details, { name: 'web', kind: 'pods' });
});

test('prints a single validation error without brackets', () => {
  const { status } = apiErrors.invalid({ group: 'apps', kind: 'Deployment' }, 'web', [
    invalid('spec.replicas', -1, 'must be greater than or equal to 0'),
  ]);
  assert.equal(
    status.message,
    'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
  assert.deepEqual(status.details?.causes, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: -1: must be greater than or equal to 0',
      field: 'spec.replicas',
    },
  ]);
});

test('prints several validation errors in brackets, duplicates once, and lists all as causes', () => {
  const errors = [required('a'), required('b', 'why'), required('a')];
  const { status } = apiErrors.invalid({ group: '', kind: 'Pod' }, 'web', errors);
  assert.equal(status.message, 'Pod "web" is invalid: [a: Required value, b: Required value: why]');
  assert.equal(status.details?.causes?.length, 3);
});

test('a forbidden error names what is known', () => {
  assert.equal(apiErrors.forbidden(pods, 'web', 'no').message, 'pods "web" is forbidden: no');
  assert.equal(apiErrors.forbidden(pods, '', 'no').message, 'pods is forbidden: no');
  assert.equal(apiErrors.forbidden({ group: '', resource: '' }, '', 'no').message, 'forbidden: no');
});

test('a future resourceVersion is a timeout with Retry-After', () => {
  const error = apiErrors.tooLargeResourceVersion(9, 7);
  assert.equal(error.message, 'Timeout: Too large resource version: 9, current: 7');
  assert.equal(error.retryAfterSeconds, 1);
  assert.deepEqual(error.status.details, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
});

test('an unknown path has empty details, a bare 500 none', () => {
  assert.deepEqual(apiErrors.unknownPath().status.details, {});
  assert.equal('details' in apiErrors.unknown('boom').status, false);
  assert.equal('reason' in apiErrors.unknown('boom').status, false);
});

test('an internal error has its cause without a reason', () => {
  assert.deepEqual(apiErrors.internalError('boom').status.details, { causes: [{ message: 'boom' }] });
});

test('a response omits errors that would make it much larger than its request', () => {
  const value = 'x'.repeat(1024 * 1024);
  const errors = Array.from({ length: 1000 }, (_, index) => invalid(`a[${index}]`, value, 'no'));
  const { status } = apiErrors.invalid({ group: '', kind: 'Pod' }, 'web', errors);
  assert.ok(JSON.stringify(status).length < 40 * 1024 * 1024);
  assert.equal(status.details?.causes?.[0]?.field, 'a[0]');
});
