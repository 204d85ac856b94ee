import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  clusterFamily,
  families,
  namespacedFamily,
  type ApplyStrategy,
  type ClusterResourceOverrideSnapshot,
  type Work,
} from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import { syncWorks, type Sync } from './sync-works.ts';
import {
  aBinding,
  aCluster,
  aConfigMap,
  aSnapshot,
  aState,
  aStrategy,
  aWork,
  baseIn,
  isClusterScoped,
  namespaceIn,
  noHash,
  earlier,
  writeText,
} from './works.testing.ts';
import type { WorksState } from './works-state.ts';

function sync(state: WorksState): Sync {
  return syncWorks(state, isClusterScoped);
}

function textsOf({ writes }: Sync): string[] {
  return writes.map(writeText);
}

function objectsOf({ writes }: Sync): Work[] {
  return writes.flatMap((write) => ('object' in write ? [write.object as Work] : []));
}

function anEnvelope(kind: string, name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind, metadata: { name, ...metadata }, data };
}

const aRole: JsonObject = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'r' } };

for (const family of families) {
  const base = baseIn(family);

  describe(`the Works of a ${family.binding.kind}`, () => {
    test('carry the names, labels and annotations of KubeFleet', () => {
      const applyStrategy = aStrategy('ServerSideApply');
      const binding = aBinding(family, { applyStrategy });
      const [work] = objectsOf(sync(aState(family, { binding, works: [] })));
      const namespace = namespaceIn(family);
      assert.deepEqual(work, {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: 'Work',
        metadata: {
          namespace: 'fleet-member-sea',
          name: `${base}-work`,
          labels: {
            'kubernetes-fleet.io/parent-resource-binding': 'web-sea-1234',
            'kubernetes-fleet.io/parent-CRP': 'web',
            'kubernetes-fleet.io/parent-resource-snapshot-index': '4',
            ...(namespace && { 'kubernetes-fleet.io/parent-placement-namespace': namespace }),
          },
          annotations: {
            'kubernetes-fleet.io/parent-resource-snapshot-name': 'web-4-snapshot',
            'kubernetes-fleet.io/parent-resource-override-snapshot-hash': noHash,
            'kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash': noHash,
          },
        },
        spec: { workload: { manifests: [aConfigMap('a')] }, applyStrategy },
      });
    });

    test('are one for each snapshot of the group, even if it selects nothing', () => {
      const snapshots = [
        aSnapshot(family, [aConfigMap('a')], { count: 3 }),
        aSnapshot(family, [aConfigMap('b')], { subindex: '0' }),
        aSnapshot(family, [], { subindex: '1' }),
      ];
      const made = objectsOf(sync(aState(family, { snapshots, works: [] })));
      assert.deepEqual(
        made.map(({ metadata, spec }) => [metadata.name, spec?.workload]),
        [
          [`${base}-work`, { manifests: [aConfigMap('a')] }],
          [`${base}-0`, { manifests: [aConfigMap('b')] }],
          [`${base}-1`, {}],
        ],
      );
    });

    test('are left alone while index and overrides are the same', () => {
      const changed = { ...aWork(family), spec: { workload: { manifests: [aConfigMap('by-hand')] } } };
      assert.deepEqual(textsOf(sync(aState(family, { works: [changed] }))), []);
    });

    test('are updated in place for another index, with what others added', () => {
      const work = aWork(family, { finalizers: ['kubernetes-fleet.io/work-cleanup'] });
      work.metadata.labels = {
        ...work.metadata.labels,
        'kubernetes-fleet.io/parent-resource-snapshot-index': '3',
        x: 'y',
      };
      const made = sync(aState(family, { works: [work], snapshots: [aSnapshot(family, [aConfigMap('b')])] }));
      assert.deepEqual(textsOf(made), [`update Work ${base}-work`]);
      const [updated] = objectsOf(made);
      assert.deepEqual(updated?.spec?.workload, { manifests: [aConfigMap('b')] });
      assert.equal(updated?.metadata.labels?.['kubernetes-fleet.io/parent-resource-snapshot-index'], '4');
      assert.equal(updated?.metadata.labels?.['x'], 'y');
      assert.deepEqual(updated?.metadata.finalizers, ['kubernetes-fleet.io/work-cleanup']);
      assert.equal(updated?.metadata.resourceVersion, '9');
    });

    test('are deleted when no snapshot makes them any more', () => {
      const surplus = aWork(family, { name: `${base}-7`, uid: 'w7' });
      assert.deepEqual(textsOf(sync(aState(family, { works: [aWork(family), surplus] }))), [`delete Work ${base}-7`]);
    });

    test('follow the apply strategy, where false and absent are the same', () => {
      const strategy: ApplyStrategy = { ...aStrategy('ServerSideApply'), serverSideApplyConfig: {} };
      const same: ApplyStrategy = { ...strategy, serverSideApplyConfig: { force: false }, allowCoOwnership: false };
      const work = { ...aWork(family), spec: { ...aWork(family).spec, applyStrategy: same } };
      const binding = aBinding(family, { applyStrategy: strategy });
      assert.deepEqual(textsOf(sync(aState(family, { binding, works: [work] }))), []);
      const [updated] = objectsOf(sync(aState(family, { binding })));
      assert.deepEqual(updated?.spec, { workload: { manifests: [aConfigMap('a')] }, applyStrategy: strategy });
    });

    test('follow the strategy for reporting back, and lose it when the placement reports nothing', () => {
      const strategy = { type: 'Mirror', destination: 'WorkAPI' } as const;
      const [mirroring] = objectsOf(sync(aState(family, { reportBack: { strategy } })));
      assert.deepEqual(mirroring?.spec?.reportBackStrategy, strategy);
      assert.ok(mirroring);
      const disabled = { strategy: { type: 'Disabled' } } as const;
      const [updated] = objectsOf(sync(aState(family, { works: [mirroring], reportBack: disabled })));
      assert.deepEqual(updated?.spec, { workload: { manifests: [aConfigMap('a')] } });
      // Without a placement, nothing says that the strategy is wrong.
      assert.deepEqual(textsOf(sync(aState(family, { works: [mirroring], reportBack: undefined }))), []);
      assert.deepEqual(textsOf(sync(aState(family, { reportBack: disabled }))), []);
    });

    test('stay when their snapshot is gone, and still get the apply strategy', () => {
      const binding = aBinding(family, { applyStrategy: aStrategy('ReportDiff') });
      const gone = sync(aState(family, { binding, snapshots: [] }));
      assert.deepEqual([textsOf(gone), gone.failure], [[`update Work ${base}-work`], undefined]);
      const early = aWork(family);
      delete early.metadata.annotations;
      assert.equal(sync(aState(family, { works: [early], snapshots: [] })).failure, undefined);
    });

    test('cannot be made from a snapshot that does not exist', () => {
      const other = aBinding(family, { resourceSnapshotName: 'web-5-snapshot' });
      for (const state of [
        aState(family, { works: [], snapshots: [] }),
        aState(family, { binding: other, snapshots: [] }),
      ]) {
        assert.deepEqual(sync(state), {
          writes: [],
          failure: { step: 'Overridden', message: 'the master resource snapshot is not found' },
        });
      }
    });

    test('wait for all snapshots of the group', () => {
      const snapshots = [aSnapshot(family, [], { count: 2 })];
      const placement = namespaceIn(family) === undefined ? 'web' : 'shop/web';
      assert.deepEqual(sync(aState(family, { snapshots })).failure, {
        step: 'Overridden',
        waitingSince: Date.parse(earlier),
        message:
          'not all resource snapshot in the same index group are created: resource snapshots are still being created ' +
          'for the masterResourceSnapshot web-4-snapshot, total snapshot in the index group = 2, num Of existing ' +
          `snapshot in the group= 1, placement = ${placement}`,
      });
    });

    test('are not made from snapshots with labels or annotations that make no sense', () => {
      const bad = [
        { metadata: { annotations: { 'kubernetes-fleet.io/number-of-resource-snapshots': 'many' } } },
        {
          metadata: { labels: { 'kubernetes-fleet.io/parent-CRP': 'web', 'kubernetes-fleet.io/resource-index': '-1' } },
        },
      ];
      for (const options of bad) {
        assert.match(
          sync(aState(family, { snapshots: [aSnapshot(family, [], options)] })).failure?.message ?? '',
          /^master resource snapshot web-4-snapshot for placement (shop\/)?web has an invalid /,
        );
      }
      const snapshots = [aSnapshot(family, [], { count: 2 }), aSnapshot(family, [], { subindex: '__proto__' })];
      assert.match(sync(aState(family, { snapshots })).failure?.message ?? '', /has an invalid sub-index annotation$/);
    });
  });

  describe(`the name of a Work of a ${family.binding.kind}`, () => {
    const name = `${base}-work`;

    test('is free again when the agent has deleted the former one', () => {
      const deleting = aWork(family, { deletionTimestamp: earlier });
      const { failure } = sync(aState(family, { works: [deleting] }));
      assert.deepEqual(failure, {
        step: 'WorkSynchronized',
        message: `an earlier work ${name} in namespace fleet-member-sea is still being deleted by the agent of the member cluster`,
        waitingSince: Date.parse(earlier),
      });
      const rivals = [{ work: deleting, binding: { name: 'web-sea-old' } }];
      assert.deepEqual(sync(aState(family, { works: [], rivals })).failure, failure);
    });

    test('is taken over from a binding that is gone', () => {
      const labels = { ...aWork(family).metadata.labels, 'kubernetes-fleet.io/parent-resource-binding': 'web-sea-old' };
      const rivals = [{ work: aWork(family, { labels }), binding: undefined }];
      const made = sync(aState(family, { works: [], rivals }));
      assert.deepEqual(textsOf(made), [`update Work ${name}`]);
      const [work] = objectsOf(made);
      assert.equal(work?.metadata.labels?.['kubernetes-fleet.io/parent-resource-binding'], 'web-sea-1234');
    });

    test('is not taken from another binding', () => {
      const rivals = [{ work: aWork(family), binding: { name: 'web-sea-old' } }];
      const { writes, failure } = sync(aState(family, { works: [], rivals }));
      assert.deepEqual(writes, []);
      assert.equal(
        failure?.message,
        `the work ${name} in namespace fleet-member-sea belongs to the binding web-sea-old of the same placement`,
      );
    });
  });
}

test('a ClusterResourcePlacement and a ResourcePlacement whose Works have the same name do not fight', () => {
  const labels = {
    'kubernetes-fleet.io/parent-resource-binding': 'shop.web-sea-1',
    'kubernetes-fleet.io/parent-CRP': 'shop.web',
  };
  const rivals = [{ work: aWork(namespacedFamily, { labels }), binding: { name: 'shop.web-sea-1' } }];
  const { writes, failure } = sync(aState(namespacedFamily, { works: [], rivals }));
  assert.deepEqual(writes, []);
  assert.deepEqual(failure, {
    step: 'WorkSynchronized',
    message:
      'the work shop.web-work in namespace fleet-member-sea belongs to the placement shop.web; rename one of the two placements',
  });
});

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

  test('whose text is no manifest is refused', () => {
    const snapshots = [aSnapshot(clusterFamily, [configMapOf({ k: '{' })])];
    assert.match(
      sync(aState(clusterFamily, { snapshots })).failure?.message ?? '',
      /^failed to parse the wrapped manifest data .*\(manifestKey=k,envelopeObjRef=shop\/e\): /,
    );
  });
});

describe('overrides', () => {
  function overrideOf(path: string): ClusterResourceOverrideSnapshot {
    const rule = {
      overrideType: 'JSONPatch' as const,
      clusterSelector: { clusterSelectorTerms: [] },
      jsonPatchOverrides: [{ op: 'add' as const, path, value: '${MEMBER-CLUSTER-NAME}' }],
    };
    return {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'ClusterResourceOverrideSnapshot',
      metadata: { name: 'cro-0' },
      spec: {
        overrideHash: 'aA==',
        overrideSpec: {
          clusterResourceSelectors: [
            { group: '', version: 'v1', kind: 'Namespace', name: 'shop', selectionScope: 'NamespaceWithResources' },
          ],
          policy: { overrideRules: [rule] },
        },
      },
    };
  }
  const binding = aBinding(clusterFamily, { clusterResourceOverrideSnapshots: ['cro-0'] });
  const reading = (path: string) => ({ cluster: () => overrideOf(path), namespaced: () => undefined });

  test('change manifests and the hash of the Work', () => {
    const [work] = objectsOf(sync(aState(clusterFamily, { binding, read: reading('/data/cluster') })));
    const [manifest] = work?.spec?.workload?.manifests ?? [];
    assert.deepEqual(manifest?.['data'], { key: 'a', cluster: 'sea' });
    assert.equal(
      work?.metadata.annotations?.['kubernetes-fleet.io/parent-cluster-resource-override-snapshot-hash'],
      createHash('sha256').update('["cro-0"]').digest('hex'),
    );
    assert.ok(work);
    // The hash says that they were applied; the snapshot may be gone by now.
    assert.deepEqual(sync(aState(clusterFamily, { binding, works: [work] })), { writes: [] });
  });

  test('of a namespaced kind have a hash of their own', () => {
    const named = aBinding(clusterFamily, { resourceOverrideSnapshots: [{ namespace: 'shop', name: 'ro-0' }] });
    const work = aWork(clusterFamily);
    const hash = createHash('sha256').update('[{"name":"ro-0","namespace":"shop"}]').digest('hex');
    work.metadata.annotations = {
      ...work.metadata.annotations,
      'kubernetes-fleet.io/parent-resource-override-snapshot-hash': hash,
    };
    assert.deepEqual(sync(aState(clusterFamily, { binding: named, works: [work] })), { writes: [] });
  });

  test('that fail leave all Works as they are', () => {
    const snapshots = [aSnapshot(clusterFamily, [aRole, aConfigMap('a')])];
    const { writes, failure } = sync(aState(clusterFamily, { binding, snapshots, read: reading('/no/path') }));
    assert.deepEqual(writes, []);
    assert.equal(failure?.step, 'Overridden');
    assert.match(
      failure.message,
      /^ClusterResourceOverrideSnapshot "cro-0" failed to apply on ConfigMap "a" in namespace "shop": /,
    );
  });

  test('that fail in an envelope name the envelope and the whole cause, where KubeFleet cuts the sentence', () => {
    const envelope = anEnvelope('ResourceEnvelope', 'e', { k: aConfigMap('a') }, { namespace: 'shop' });
    const snapshots = [aSnapshot(clusterFamily, [envelope])];
    assert.match(
      sync(aState(clusterFamily, { binding, snapshots, read: reading('/no/path') })).failure?.message ?? '',
      /^failed to apply overrides to ConfigMap "a" in namespace "shop" from envelope shop\/e: ClusterResourceOverrideSnapshot "cro-0" failed to apply on ConfigMap "a" in namespace "shop": /,
    );
  });

  test('that are gone before they were applied are an error', () => {
    assert.deepEqual(sync(aState(clusterFamily, { binding })).failure, {
      step: 'Overridden',
      message: 'clusterResourceOverrideSnapshot cro-0 is not found',
    });
  });

  test('read the labels of the member', () => {
    const selective = overrideOf('/data/cluster');
    const [rule] = selective.spec.overrideSpec.policy?.overrideRules ?? [];
    assert.ok(rule);
    rule.clusterSelector = { clusterSelectorTerms: [{ labelSelector: { matchLabels: { region: 'south' } } }] };
    const read = { cluster: () => selective, namespaced: () => undefined };
    const dataOn = (region: string): unknown => {
      const cluster = aCluster({ labels: { region } });
      const [work] = objectsOf(sync(aState(clusterFamily, { binding, read, cluster })));
      return work?.spec?.workload?.manifests?.[0]?.['data'];
    };
    assert.deepEqual([dataOn('north'), dataOn('south')], [{ key: 'a' }, { key: 'a', cluster: 'sea' }]);
  });
});
