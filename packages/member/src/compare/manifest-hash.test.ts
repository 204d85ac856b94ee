import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { manifestHash } from './manifest-hash.ts';
import { recorded } from './recorded.testing.ts';

interface Recorded {
  readonly does: string;
  readonly object: JsonObject;
  readonly hash: string;
}

const cases = recorded(new URL('recorded/hashes.json', import.meta.url)) as unknown as readonly Recorded[];

describe('the hash of a manifest equals that of KubeFleet for', () => {
  for (const { does, object, hash } of cases) {
    test(does, () => assert.equal(manifestHash(object), hash));
  }
});

describe('the hash of a manifest', () => {
  const ship = { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name: 'anna' }, spec: { length: 12 } };

  test('ignores fields that a server or a controller adds', () => {
    const live = {
      ...ship,
      metadata: { name: 'anna', uid: 'u', labels: { 'app.kubernetes.io/name': 'x' }, generation: 3 },
      status: { afloat: true },
    };
    assert.equal(manifestHash(live), manifestHash(ship));
  });

  test('changes with the spec and with labels of the user', () => {
    assert.notEqual(manifestHash({ ...ship, spec: { length: 13 } }), manifestHash(ship));
    const labelled = { ...ship, metadata: { name: 'anna', labels: { app: 'x' } } };
    assert.notEqual(manifestHash(labelled), manifestHash(ship));
  });
});
