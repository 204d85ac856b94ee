import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAmounts, type UsageContext } from '@flotilla/builtins';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { kinds } from '../kinds.ts';
import { changesUsage, countOf, decideStatus } from './decide.ts';

type Amounts = Record<string, string>;

function quota(hard: Amounts, status?: { hard: Amounts; used: Amounts }): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', resourceVersion: '7' },
    spec: { hard },
    ...(status && { status }),
  };
}

describe('the status of a quota', () => {
  const decided = (object: KubeObject, counted: Amounts): unknown =>
    decideStatus(object, parseAmounts(counted))?.['status'];

  test('gets the limits of the spec and what was counted', () => {
    assert.deepEqual(decided(quota({ pods: '2', cpu: '1' }), { pods: '1', cpu: '0', memory: '5' }), {
      hard: { cpu: '1', pods: '2' },
      used: { cpu: '0', pods: '1' },
    });
  });

  test('is not written if it says the same in other words', () => {
    const status = { hard: { cpu: '1000m' }, used: { cpu: '0.5' } };
    assert.equal(decided(quota({ cpu: '1' }, status), { cpu: '500m' }), undefined);
  });

  test('keeps the count of a kind that is no longer served, and drops what has no limit any more', () => {
    const status = {
      hard: { 'count/widgets.example.com': '5', pods: '1' },
      used: { 'count/widgets.example.com': '3', pods: '1' },
    };
    assert.deepEqual(decided(quota({ 'count/widgets.example.com': '5', 'count/gone.example.com': '1' }, status), {}), {
      hard: { 'count/gone.example.com': '1', 'count/widgets.example.com': '5' },
      used: { 'count/widgets.example.com': '3' },
    });
  });

  test('is written with the version of the quota that was read', () => {
    assert.equal(decideStatus(quota({ pods: '1' }), parseAmounts({}))?.metadata.resourceVersion, '7');
  });
});

describe('a change of a pod', () => {
  const context: UsageContext = {
    now: new Date(0),
    deviceClasses: () => [],
    pod: () => undefined,
    deviceClaims: () => [],
  };
  const pod = (spec: JsonObject, status: JsonObject = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [], ...spec },
    status,
  });
  const matters = (names: string[], scopes: string[], now: KubeObject, old: KubeObject): boolean | undefined => {
    const requirements = scopes.map((scopeName) => ({ scopeName, operator: 'Exists' }));
    const count = countOf({ names: new Set(names), scopes: requirements }, kinds.pod, context);
    return count && changesUsage(count, now, old, context);
  };

  test('matters if it ends the pod, to quotas that count running pods', () => {
    const [ended, running] = [pod({}, { phase: 'Failed' }), pod({}, { phase: 'Running' })];
    assert.equal(matters(['pods'], [], ended, running), true);
    assert.equal(matters(['count/pods'], [], ended, running), false);
    assert.equal(matters(['services'], [], ended, running), undefined);
  });

  test('matters if the pod leaves the scope of the quota', () => {
    const [limited, unlimited] = [pod({ activeDeadlineSeconds: 1 }), pod({})];
    assert.equal(matters(['pods'], ['NotTerminating'], limited, unlimited), true);
    assert.equal(matters(['pods'], ['BestEffort'], limited, unlimited), false);
  });
});
