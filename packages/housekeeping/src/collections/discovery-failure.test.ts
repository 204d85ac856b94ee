import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { discoveryFailure } from './discovery-failure.ts';

describe('what is said about groups that could not be asked', () => {
  test('names them in their order', () => {
    const stale = [
      { group: 'sea.example', version: 'v1' },
      { group: 'air.example', version: 'v2' },
    ];
    assert.equal(
      discoveryFailure(stale),
      'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: ' +
        'air.example/v2: stale GroupVersion discovery: air.example/v2, ' +
        'sea.example/v1: stale GroupVersion discovery: sea.example/v1',
    );
  });

  test('is nothing when all could be', () => {
    assert.equal(discoveryFailure([]), undefined);
  });
});
