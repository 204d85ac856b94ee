import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { clusterFamily } from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import { anEnvelope, aRole, objectsOf, sync, textsOf } from './sync.testing.ts';
import { aConfigMap, aSnapshot, aState } from './works.testing.ts';

describe('an envelope', () => {
  const quota: JsonObject = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace: 'shop', name: 'q' } };

  function hashOf(identity: string): string {
    return createHash('sha256').update(identity).digest('hex').slice(0, 16);
  }

  const envelopes = [
    {
      envelope: anEnvelope('ClusterResourceEnvelope', 'e', { 'a.yaml': aRole, 'b.yaml': { ...aRole, x: 1 } }),
      work: `web-work-envelope-${hashOf('ClusterResourceEnvelope//e')}`,
      labels: { type: 'ClusterResourceEnvelope', name: 'e', namespace: undefined },
      // By their JSON, descending.
      manifests: [aRole, { ...aRole, x: 1 }],
    },
    {
      envelope: anEnvelope('ResourceEnvelope', 'e', { a: aConfigMap('a'), q: quota }, { namespace: 'shop' }),
      work: `web-work-envelope-${hashOf('ResourceEnvelope/shop/e')}`,
      labels: { type: 'ResourceEnvelope', name: 'e', namespace: 'shop' },
      manifests: [quota, aConfigMap('a')],
    },
    {
      envelope: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'e', namespace: 'shop', annotations: { 'kubernetes-fleet.io/envelope-configmap': 'true' } },
        data: {
          'a.json': JSON.stringify(aConfigMap('a')),
          'q.yaml': 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\n',
        },
      },
      work: `web-work-configmap-${hashOf('ConfigMap/shop/e')}`,
      labels: { type: 'ConfigMap', name: 'e', namespace: 'shop' },
      manifests: [{ ...quota, metadata: { name: 'q', namespace: 'shop' } }, aConfigMap('a')],
    },
  ];
  for (const { envelope, work: name, labels, manifests } of envelopes) {
    test(`of kind ${labels.type} becomes a Work of its own`, () => {
      const snapshots = [aSnapshot(clusterFamily, [envelope, aConfigMap('plain')])];
      const [plain, work] = objectsOf(sync(aState(clusterFamily, { snapshots, works: [] })));
      assert.deepEqual(plain?.spec?.workload, { manifests: [aConfigMap('plain')] });
      assert.equal(work?.metadata.name, name);
      assert.deepEqual(work?.spec?.workload, { manifests });
      assert.deepEqual(
        ['work', 'name', 'namespace'].map((part) => work?.metadata.labels?.[`kubernetes-fleet.io/envelope-${part}`]),
        [labels.type, labels.name, labels.namespace],
      );
    });

    test(`of kind ${labels.type} keeps a Work with another name that an earlier hub gave it`, () => {
      const state = aState(clusterFamily, { snapshots: [aSnapshot(clusterFamily, [envelope])], works: [] });
      const [plain, made] = objectsOf(sync(state));
      assert.ok(plain && made);
      const renamed = { ...made, metadata: { ...made.metadata, name: 'web-work-configmap-0a1b', uid: 'e1' } };
      assert.deepEqual(textsOf(sync({ ...state, works: [plain, renamed] })), []);
      const twice = sync({ ...state, works: [plain, made, renamed] });
      assert.deepEqual(twice.writes, []);
      const reference = labels.namespace === undefined ? 'e' : `${labels.namespace}/e`;
      assert.equal(
        twice.failure?.message,
        `2 work objects found for the same envelope ${reference}, only one expected`,
      );
      assert.equal(
        twice.failure.event?.message,
        `Multiple Work objects ([${name} web-work-configmap-0a1b]) found for envelope ${reference} in namespace ` +
          'fleet-member-sea; delete all but the oldest to recover',
      );
    });
  }

  const marked = { namespace: 'shop', annotations: { 'kubernetes-fleet.io/envelope-configmap': 'true' } };
  const configMapOf = (data: JsonObject): JsonObject => ({
    ...anEnvelope('ConfigMap', 'e', data, marked),
    apiVersion: 'v1',
  });
  const refusals: [envelope: JsonObject, message: string][] = [
    [
      anEnvelope('ClusterResourceEnvelope', 'e', { k: aConfigMap('a') }),
      'a namespaced object k (shop/a) has been wrapped in a cluster resource envelope e',
    ],
    [
      anEnvelope('ResourceEnvelope', 'e', { k: aRole }, { namespace: 'shop' }),
      'a cluster scope object k (r) has been wrapped in a resource envelope shop/e',
    ],
    [
      anEnvelope('ResourceEnvelope', 'e', { k: aConfigMap('a', 'other') }, { namespace: 'shop' }),
      'a namespaced object k (other/a) in has been wrapped in a resource envelope from another namespace (shop/e)',
    ],
    [
      anEnvelope('ResourceEnvelope', 'e', { k: { metadata: {} } }, { namespace: 'shop' }),
      'failed to parse the wrapped manifest data to a Kubernetes runtime object ' +
        "(manifestKey=k,envelopeObjRef=shop/e): Object 'Kind' is missing",
    ],
    [
      configMapOf({ k: JSON.stringify(aRole) }),
      'a cluster scope object k (r) has been wrapped in a ConfigMap envelope shop/e, which may only contain objects of ' +
        'its namespace; use a ClusterResourceEnvelope for it',
    ],
    [
      configMapOf({ k: JSON.stringify(aConfigMap('a', 'other')) }),
      'a namespaced object k (other/a) has been wrapped in a ConfigMap envelope from another namespace (shop/e)',
    ],
  ];
  for (const [envelope, message] of refusals) {
    test(`is refused: ${message}`, () => {
      const snapshots = [aSnapshot(clusterFamily, [envelope])];
      assert.deepEqual(sync(aState(clusterFamily, { snapshots, works: [] })), {
        writes: [],
        failure: { step: 'WorkSynchronized', message },
      });
    });
  }

  test('of kind ConfigMap may contain cluster-scoped objects if the administrator allows it', () => {
    const quotaText = JSON.stringify({ ...quota, metadata: { name: 'q' } });
    const snapshots = [aSnapshot(clusterFamily, [configMapOf({ k: JSON.stringify(aRole), q: quotaText })])];
    const state = aState(clusterFamily, { snapshots, works: [], clusterScopedInConfigMaps: true });
    const [, work] = objectsOf(sync(state));
    const inNamespace = { ...quota, metadata: { name: 'q', namespace: 'shop' } };
    assert.deepEqual(work?.spec?.workload, { manifests: [inNamespace, aRole] });
  });

  test('of kind ConfigMap without any manifest is placed itself, as KubeFleet places all ConfigMaps', () => {
    const ordinary = configMapOf({ color: 'red', size: '3' });
    const [work, ...others] = objectsOf(
      sync(aState(clusterFamily, { snapshots: [aSnapshot(clusterFamily, [ordinary])], works: [] })),
    );
    assert.deepEqual(work?.spec?.workload, { manifests: [ordinary] });
    assert.deepEqual(others, []);
  });

  test('whose text is no manifest is refused', () => {
    const snapshots = [aSnapshot(clusterFamily, [configMapOf({ k: '{kind: Role' })])];
    assert.match(
      sync(aState(clusterFamily, { snapshots })).failure?.message ?? '',
      /^failed to parse the wrapped manifest data .*\(manifestKey=k,envelopeObjRef=shop\/e\): /,
    );
  });
});
