import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseAmounts, printAmounts, quotaEvaluatorOf, scopesOf, type UsageContext } from '@flotilla/builtins';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { decideCharges, type CountedQuota } from './decide-charges.ts';

const context: UsageContext = {
  now: new Date(0),
  deviceClasses: () => [],
  pod: () => undefined,
  deviceClaims: () => [],
};

type Amounts = Record<string, string>;

function quota(name: string, hard: Amounts, used: Amounts, scopes: string[] = []): CountedQuota {
  return {
    name,
    scopes: scopesOf({ spec: { scopes } }),
    hard: parseAmounts(hard),
    used: parseAmounts(used),
  };
}

interface Case {
  readonly of: string;
  readonly quotas: readonly CountedQuota[];
  readonly now: JsonObject;
  readonly old?: JsonObject;
  readonly subresource?: string;
}

/** The refusal, or the new usage of each charged quota. */
function decided({ of, quotas, now, old, subresource = '' }: Case): unknown {
  const evaluator = quotaEvaluatorOf(of);
  assert.ok(evaluator);
  const whole = (fields: JsonObject): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Any',
    metadata: { name: 'x' },
    ...fields,
  });
  const operation = old ? 'UPDATE' : 'CREATE';
  const write = { operation, subresource, object: whole(now), old: old && whole(old) };
  const charges = decideCharges(quotas, evaluator, write, context);
  if (charges.refusal !== undefined) return charges.refusal;
  return Object.fromEntries([...charges.used].map(([{ name }, used]) => [name, printAmounts(used)]));
}

const service = (type: string, ports: number): JsonObject => ({
  spec: { type, ports: Array.from({ length: ports }, (_, at) => ({ port: at + 1 })) },
});
const pod = (cpu: string, more: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }], ...more },
});

describe('a write is charged', () => {
  test('to every quota that counts it, and only for what the quota counts', () => {
    const quotas = [
      quota('a', { 'count/secrets': '5', pods: '1' }, { 'count/secrets': '2', pods: '0' }),
      quota('b', { secrets: '1' }, { secrets: '0' }),
      quota('c', { pods: '1' }, { pods: '0' }),
    ];
    assert.deepEqual(decided({ of: 'secrets', quotas, now: {} }), {
      a: { 'count/secrets': '3', pods: '0' },
      b: { secrets: '1' },
    });
  });

  test('for what it uses more than before', () => {
    const quotas = [
      quota('a', { 'services.nodeports': '3', services: '1' }, { 'services.nodeports': '1', services: '1' }),
    ];
    const old = service('NodePort', 1);
    assert.deepEqual(decided({ of: 'services', quotas, now: service('NodePort', 3), old }), {
      a: { 'services.nodeports': '3', services: '1' },
    });
    assert.equal(
      decided({ of: 'services', quotas, now: service('NodePort', 4), old }),
      'exceeded quota: a, requested: services.nodeports=3, used: services.nodeports=1, limited: services.nodeports=3',
    );
  });

  test('nothing if it uses less, even if the quota is exceeded', () => {
    const quotas = [quota('a', { 'services.nodeports': '1' }, { 'services.nodeports': '5' })];
    assert.deepEqual(
      decided({ of: 'services', quotas, now: service('ClusterIP', 2), old: service('NodePort', 2) }),
      {},
    );
  });

  test('in full to a quota whose scope the object enters', () => {
    const quotas = [
      quota('deadline', { pods: '1', cpu: '1' }, { pods: '0', cpu: '0' }, ['Terminating']),
      quota('steady', { pods: '1' }, { pods: '1' }, ['NotTerminating']),
    ];
    const now = pod('500m', { activeDeadlineSeconds: 5 });
    assert.deepEqual(decided({ of: 'pods', quotas, now, old: pod('500m') }), { deadline: { cpu: '500m', pods: '1' } });
  });

  test('beyond the limit if a status reports it', () => {
    const claim = (allocated: string): JsonObject => ({
      spec: { resources: { requests: { storage: '1Gi' } } },
      status: { allocatedResources: { storage: allocated } },
    });
    const quotas = [quota('a', { 'requests.storage': '2Gi' }, { 'requests.storage': '1Gi' })];
    const change = { of: 'persistentvolumeclaims', quotas, now: claim('5Gi'), old: claim('1Gi') };
    assert.deepEqual(decided({ ...change, subresource: 'status' }), { a: { 'requests.storage': '5Gi' } });
    assert.match(String(decided(change)), /^exceeded quota/);
  });
});

describe('a write is refused', () => {
  test('if it exceeds one of several quotas, and none is charged', () => {
    const quotas = [quota('a', { secrets: '9' }, { secrets: '0' }), quota('b', { secrets: '0' }, { secrets: '0' })];
    assert.equal(
      decided({ of: 'secrets', quotas, now: {} }),
      'exceeded quota: b, requested: secrets=1, used: secrets=0, limited: secrets=0',
    );
  });

  test('while the usage of a resource that it needs is not known', () => {
    const quotas = [quota('a', { 'count/pods': '1', pods: '1' }, { pods: '0' })];
    assert.equal(
      decided({ of: 'pods', quotas, now: pod('1') }),
      'status unknown for quota: a, resources: count/pods,pods',
    );
  });

  test('if a container does not say what the quota counts', () => {
    const quotas = [quota('a', { 'limits.cpu': '1', memory: '1' }, { 'limits.cpu': '0', memory: '0' })];
    const containers = [{ name: 'b' }, { name: 'a', resources: { limits: { cpu: '1' } } }];
    assert.equal(
      decided({ of: 'pods', quotas, now: { spec: { containers } } }),
      'failed quota: a: must specify limits.cpu for: b; memory for: a,b',
    );
  });
});
