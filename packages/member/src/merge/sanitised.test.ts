import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goJson, type KubeObject } from '@flotilla/kube';
import { recorded } from '../compare/recorded.testing.ts';
import { sanitised } from './sanitised.ts';

interface Recorded {
  readonly does: string;
  readonly object: KubeObject;
  readonly sanitised: KubeObject;
}

const file = new URL('recorded/prepared-manifests.json', import.meta.url);
const cases = recorded(file) as unknown as readonly Recorded[];

describe('a manifest is sanitised as KubeFleet does it:', () => {
  for (const { does, object, sanitised: expected } of cases) {
    test(does, () => assert.equal(goJson(sanitised(object)), goJson(expected)));
  }
});

describe('a sanitised manifest', () => {
  test('keeps finalizers and everything in its spec', () => {
    const metadata = { name: 'web', finalizers: ['a/b'] };
    const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { clusterIP: '10.0.0.1' } };
    assert.deepEqual(sanitised(service), service);
  });

  test('is a copy', () => {
    const metadata = { name: 'web', uid: 'u', annotations: { 'deployment.kubernetes.io/revision': '1' } };
    const object = { apiVersion: 'v1', kind: 'Service', metadata, status: {} };
    const before = structuredClone(object);
    sanitised(object);
    assert.deepEqual(object, before);
  });
});
