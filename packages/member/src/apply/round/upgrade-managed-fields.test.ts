import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { upgradedManagedFields } from './upgrade-managed-fields.ts';

function entry(manager: string, operation: string, fieldsV1: JsonObject, subresource?: string) {
  return { manager, operation, fieldsV1, ...(subresource !== undefined && { subresource }) };
}

describe('upgradedManagedFields', () => {
  test('turns the Update entry of a create into an Apply entry', () => {
    const fields = { 'f:data': { 'f:a': {} } };
    assert.deepEqual(
      upgradedManagedFields([entry('work-api-agent', 'Update', fields), entry('kubectl', 'Update', {})]),
      [entry('work-api-agent', 'Apply', fields), entry('kubectl', 'Update', {})],
    );
  });

  test('merges the Update entry into the Apply entry', () => {
    const claimed = upgradedManagedFields([
      entry('work-api-agent', 'Apply', { 'f:data': { 'f:a': {} } }),
      entry('work-api-agent', 'Update', { 'f:data': { 'f:b': {} }, 'f:spec': {} }),
    ]);
    const fields = { 'f:data': { 'f:a': {}, 'f:b': {} }, 'f:spec': {} };
    assert.deepEqual(claimed, [entry('work-api-agent', 'Apply', fields)]);
  });

  test('changes nothing without an Update entry of the agent, and no other manager', () => {
    assert.equal(
      upgradedManagedFields([entry('work-api-agent', 'Apply', {}), entry('kubectl', 'Update', {})]),
      undefined,
    );
    assert.equal(upgradedManagedFields([entry('work-api-agent', 'Update', {}, 'status')]), undefined);
    assert.equal(upgradedManagedFields(undefined), undefined);
  });
});
