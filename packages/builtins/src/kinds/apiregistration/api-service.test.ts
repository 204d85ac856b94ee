import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@flotilla/kube';
import { apiServiceKind } from './api-service.ts';

test('reports the missing name of an APIService once', () => {
  const spec = { group: 'x.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 };
  const validated = (name: string): unknown => {
    const object: KubeObject = {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec,
    };
    return apiServiceKind.validate?.(object, { now: new Date(0), user: '', groups: [] });
  };
  assert.deepEqual(validated(''), []);
  assert.equal((validated('v2.x.io') as unknown[]).length, 1);
});
