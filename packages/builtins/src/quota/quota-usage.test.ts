import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { printAmounts } from './amounts.ts';
import { quotaEvaluatorOf, type UsageContext } from './evaluator.ts';
import { matchesScopes, scopesOf } from './quota-usage.ts';

const now = new Date('2026-01-01T00:10:00Z');

function context(more: Partial<UsageContext> = {}): UsageContext {
  return { now, deviceClasses: () => [], pod: () => undefined, deviceClaims: () => [], ...more };
}

function object(fields: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Any', metadata: { name: 'x', ...metadata }, ...fields };
}

function usage(resource: string, counted: KubeObject, more?: Partial<UsageContext>): Record<string, string> {
  const evaluator = quotaEvaluatorOf(resource);
  assert.ok(evaluator);
  return printAmounts(evaluator.usageOf(counted, context(more)));
}

const container = (name: string, requests: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  resources: { requests },
  ...more,
});

describe('a pod uses', () => {
  const cpuOf = (fields: JsonObject): string | undefined => usage('pods', object(fields))['requests.cpu'];
  const spec = { containers: [container('c', { cpu: '100m' })] };
  const reporting = (resources: JsonObject, more: JsonObject = {}): JsonObject => ({
    spec,
    status: { containerStatuses: [{ name: 'c', resources: { requests: resources } }], ...more },
  });

  test('the larger of what its spec says and its node has given it', () => {
    assert.equal(cpuOf(reporting({ cpu: '300m' })), '300m');
    assert.equal(cpuOf(reporting({ cpu: '50m' })), '100m');
    const allocated = { name: 'c', resources: {}, allocatedResources: { cpu: '200m' } };
    assert.equal(cpuOf({ spec, status: { containerStatuses: [allocated] } }), '200m');
  });

  test('what its node has given it, if a resize is infeasible', () => {
    const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
    assert.equal(cpuOf(reporting({ cpu: '50m' }, { conditions })), '50m');
  });

  test('its own resources instead of those of its containers, and the overhead of its runtime', () => {
    const more = { resources: { requests: { cpu: '1' } }, overhead: { cpu: '250m' } };
    assert.equal(cpuOf({ spec: { ...spec, ...more } }), '1250m');
  });

  test('only its place in the store after its end, or long after its deletion', () => {
    assert.deepEqual(usage('pods', object({ spec, status: { phase: 'Failed' } })), { 'count/pods': '1' });
    const stuck = (deletionTimestamp: string): Record<string, string> =>
      usage('pods', object({ spec }, { deletionTimestamp, deletionGracePeriodSeconds: 30 }));
    assert.deepEqual(stuck('2026-01-01T00:09:29Z'), { 'count/pods': '1' });
    assert.equal(stuck('2026-01-01T00:09:31Z')['pods'], '1');
  });

  test('hugepages and extended resources under names of their own', () => {
    const requests = { 'hugepages-2Mi': '4Mi', 'example.com/gpu': '1', 'kubernetes.io/odd': '1' };
    assert.deepEqual(usage('pods', object({ spec: { containers: [container('c', requests)] } })), {
      'count/pods': '1',
      'hugepages-2Mi': '4Mi',
      pods: '1',
      'requests.example.com/gpu': '1',
      'requests.hugepages-2Mi': '4Mi',
    });
  });
});

describe('a scope', () => {
  const matches = (resource: string, scope: JsonObject, counted: KubeObject): boolean => {
    const evaluator = quotaEvaluatorOf(resource);
    assert.ok(evaluator);
    return matchesScopes(evaluator, scopesOf({ spec: scope }), counted);
  };
  const priority = (operator: string, values?: string[]): JsonObject => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values && { values }) }] },
  });
  const pod = (spec: JsonObject): KubeObject => object({ spec: { containers: [], ...spec } });

  const cases: readonly [what: string, scope: JsonObject, spec: JsonObject, isMatching: boolean][] = [
    ['Terminating', { scopes: ['Terminating'] }, { activeDeadlineSeconds: 0 }, true],
    ['Terminating without a deadline', { scopes: ['Terminating'] }, {}, false],
    ['two scopes of which one fails', { scopes: ['BestEffort', 'Terminating'] }, {}, false],
    ['a class in a list', priority('In', ['a', 'b']), { priorityClassName: 'b' }, true],
    ['no class in a list', priority('In', ['a', 'b']), {}, false],
    ['no class, none of a list', priority('NotIn', ['a']), {}, true],
    ['an empty class, which is none', priority('Exists'), { priorityClassName: '' }, false],
    ['VolumeAttributesClass, which no pod has', { scopes: ['VolumeAttributesClass'] }, {}, false],
  ];
  for (const [what, scope, spec, isMatching] of cases) {
    test(`of ${what} ${isMatching ? 'matches' : 'does not match'}`, () => {
      assert.equal(matches('pods', scope, pod(spec)), isMatching);
    });
  }

  test('matches no ConfigMap', () => {
    assert.equal(matches('configmaps', { scopes: ['NotTerminating'] }, object({})), false);
  });

  test('matches a claim by the class it changes to', () => {
    const scopeSelector = {
      matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['new'] }],
    };
    const status = { modifyVolumeStatus: { targetVolumeAttributesClassName: 'new' } };
    assert.equal(matches('persistentvolumeclaims', { scopeSelector }, object({ status })), true);
    assert.equal(matches('persistentvolumeclaims', { scopeSelector }, object({})), false);
  });
});

describe('a ResourceClaim', () => {
  const claim = (metadata: JsonObject = {}): KubeObject =>
    object(
      {
        spec: {
          devices: { requests: [{ exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 3 } }] },
        },
      },
      metadata,
    );
  const deviceClasses = (): KubeObject[] => [
    object({ spec: { extendedResourceName: 'example.com/gpu' } }, { name: 'gpu' }),
  ];

  test('counts the most devices that one of its alternatives needs, for each class', () => {
    const firstAvailable = [
      { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 },
      { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 4 },
      { deviceClassName: 'tpu', allocationMode: 'All' },
    ];
    const used = usage(
      'resourceclaims.resource.k8s.io',
      object({ spec: { devices: { requests: [{ firstAvailable }] } } }),
    );
    assert.equal(used['gpu.deviceclass.resource.k8s.io/devices'], '4');
    assert.equal(used['tpu.deviceclass.resource.k8s.io/devices'], '32');
  });

  test('made for a pod does not count again what the pod is charged for', () => {
    const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true };
    const annotations = { 'resource.kubernetes.io/extended-resource-claim': 'true' };
    const pod = object({ spec: { containers: [container('c', { 'example.com/gpu': '2' })] } }, { name: 'p', uid: 'u' });
    const made = claim({ annotations, ownerReferences: [owner], creationTimestamp: '2026-01-01T00:00:00Z' });
    const of = (counted: KubeObject, claims: KubeObject[]): string | undefined =>
      usage('resourceclaims.resource.k8s.io', counted, { deviceClasses, pod: () => pod, deviceClaims: () => claims })[
        'requests.example.com/gpu'
      ];
    assert.equal(of(claim(), []), '3');
    assert.equal(of(made, [made]), '1');
    const earlier = { ...made, metadata: { ...made.metadata, name: 'w' } };
    assert.equal(of(made, [made, earlier]), '3');
  });
});

test('events and reviews are not counted', () => {
  assert.equal(quotaEvaluatorOf('events'), undefined);
  assert.equal(quotaEvaluatorOf('localsubjectaccessreviews.authorization.k8s.io'), undefined);
  assert.deepEqual(usage('widgets.example.com', object({})), { 'count/widgets.example.com': '1' });
});
