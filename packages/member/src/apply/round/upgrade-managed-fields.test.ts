import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { claimedFields } from './upgrade-managed-fields.ts';

function entry(manager: string, operation: string, fieldsV1: JsonObject, subresource?: string) {
  return { manager, operation, fieldsV1, ...(subresource !== undefined && { subresource }) };
}

describe('claimedFields', () => {
  test('declares our creation to have been an apply', () => {
    const fields = { 'f:data': { 'f:a': {} } };
    assert.deepEqual(claimedFields([entry('work-api-agent', 'Update', fields), entry('kubectl', 'Update', {})]), [
      entry('work-api-agent', 'Apply', fields),
      entry('kubectl', 'Update', {}),
    ]);
  });

  test('adds what we updated to what we applied', () => {
    const claimed = claimedFields([
      entry('work-api-agent', 'Apply', { 'f:data': { 'f:a': {} } }),
      entry('work-api-agent', 'Update', { 'f:data': { 'f:b': {} }, 'f:spec': {} }),
    ]);
    const fields = { 'f:data': { 'f:a': {}, 'f:b': {} }, 'f:spec': {} };
    assert.deepEqual(claimed, [entry('work-api-agent', 'Apply', fields)]);
  });

  test('changes nothing where we have only applied, and nothing of anybody else', () => {
    assert.equal(claimedFields([entry('work-api-agent', 'Apply', {}), entry('kubectl', 'Update', {})]), undefined);
    assert.equal(claimedFields([entry('work-api-agent', 'Update', {}, 'status')]), undefined);
    assert.equal(claimedFields(undefined), undefined);
  });
});
