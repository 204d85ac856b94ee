import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastAppliedAnnotation, specHashAnnotation, type ApplyStrategy } from '@flotilla/api';
import { goJson, type KubeObject, type ManagedFieldsEntry, type OwnerReference } from '@flotilla/kube';
import { manifestHash } from '../compare/manifest-hash.ts';
import { recorded } from '../compare/recorded.testing.ts';
import { loadPatchSchemas } from './three-way-patch.ts';
import { planApply, planDryRun, type ApplyState } from './plan-apply.ts';

const patchSchemaOf = await loadPatchSchemas();
const owner: OwnerReference = {
  apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
  kind: 'AppliedWork',
  name: 'work',
  uid: 'u1',
  blockOwnerDeletion: true,
};
const settings = (data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'shop' },
  data,
});
const clientSide: ApplyStrategy = {
  type: 'ClientSideApply',
  comparisonOption: 'PartialComparison',
  whenToApply: 'Always',
  whenToTakeOver: 'Always',
};
const serverSide: ApplyStrategy = { ...clientSide, type: 'ServerSideApply' };
const managedBy = (...managers: string[]): ManagedFieldsEntry[] => managers.map((manager) => ({ manager }));

const manifest = settings({ a: '1' });

/** The object on the member after its first apply. */
function applied(strategy: ApplyStrategy, managers = managedBy('work-api-agent', 'kubelet')): KubeObject {
  const request = plan({ strategy, live: undefined });
  assert.equal(request.verb, 'create');
  const metadata = { ...request.object.metadata, resourceVersion: '7', uid: 'x', managedFields: managers };
  return { ...request.object, metadata };
}

function plan(state: Partial<ApplyState>): ReturnType<typeof planApply> {
  return planApply({ manifest, live: undefined, owner, strategy: clientSide, ...state }, patchSchemaOf);
}

describe('an object that the member does not have', () => {
  test('is created with hash, owner and last-applied annotation', () => {
    const request = plan({});
    assert.equal(request.verb, 'create');
    const { annotations = {}, ...metadata } = request.object.metadata;
    assert.deepEqual(metadata, { name: 'c', namespace: 'shop', ownerReferences: [owner] });
    assert.deepEqual(Object.keys(annotations), [specHashAnnotation, lastAppliedAnnotation]);
    assert.equal(annotations[specHashAnnotation], manifestHash(manifest));
    const remembered = JSON.parse(annotations[lastAppliedAnnotation] ?? '') as KubeObject;
    assert.deepEqual(remembered.metadata.ownerReferences, [owner]);
    assert.deepEqual(remembered.metadata.annotations, { [specHashAnnotation]: manifestHash(manifest) });
  });

  test('is created under server-side apply too, without the last-applied annotation', () => {
    const request = plan({ strategy: serverSide });
    assert.equal(request.verb, 'create');
    assert.deepEqual(Object.keys(request.object.metadata.annotations ?? {}), [specHashAnnotation]);
  });
});

interface Recorded {
  readonly does: string;
  readonly object: KubeObject;
  /** With hash, owner and last-applied annotation, as it is sent. */
  readonly created: KubeObject;
}

const file = new URL('recorded/prepared-manifests.json', import.meta.url);
const cases = recorded(file) as unknown as readonly Recorded[];

describe('an object is created byte for byte as KubeFleet would create', () => {
  for (const { does, object, created } of cases) {
    test(does, () => {
      const request = plan({ manifest: object, strategy: { ...clientSide, allowCoOwnership: true } });
      assert.equal(request.verb, 'create');
      assert.equal(goJson(request.object), goJson(created));
    });
  }
});

describe('client-side apply', () => {
  test('of an unchanged manifest is an empty patch', () => {
    const live = applied(clientSide);
    assert.deepEqual(plan({ live }), { verb: 'patch', patch: { type: 'merge', value: {} } });
  });

  test('sends only changes, and the new last-applied annotation', () => {
    const request = plan({ live: applied(clientSide), manifest: settings({ b: '2' }) });
    assert.equal(request.verb, 'patch');
    assert.equal(request.patch.type, 'strategic');
    const { metadata, ...content } = request.patch.value;
    assert.deepEqual(content, { data: { a: null, b: '2' } });
    assert.deepEqual(Object.keys((metadata as KubeObject['metadata']).annotations ?? {}), [
      specHashAnnotation,
      lastAppliedAnnotation,
    ]);
  });

  test('is a merge patch for kinds that are not built in', () => {
    const ship: KubeObject = { apiVersion: 'example.com/v1', kind: 'Ship', metadata: { name: 'anna' }, spec: { a: 1 } };
    const live = { ...ship, metadata: { ...ship.metadata, ownerReferences: [owner] } };
    const request = plan({ manifest: { ...ship, spec: { a: 2 } }, live });
    assert.equal(request.verb, 'patch');
    assert.equal(request.patch.type, 'merge');
    assert.deepEqual(request.patch.value['spec'], { a: 2 });
  });

  test('sends the resourceVersion it read with whenToApply IfNotDrifted', () => {
    const strategy: ApplyStrategy = { ...clientSide, whenToApply: 'IfNotDrifted' };
    const request = plan({ live: applied(clientSide), strategy });
    assert.deepEqual(request, {
      verb: 'patch',
      patch: { type: 'merge', value: { metadata: { resourceVersion: '7' } } },
    });
  });

  test('of an object too large for the last-applied annotation becomes server-side apply without force', () => {
    const large = settings({ a: 'x'.repeat(300_000) });
    const request = plan({ live: applied(clientSide), manifest: large });
    assert.equal(request.verb, 'apply');
    assert.equal(request.force, false);
    assert.equal(request.object.metadata.annotations?.[lastAppliedAnnotation], '');
  });
});

describe('server-side apply', () => {
  const force = (live: KubeObject, strategy = serverSide) => {
    const request = plan({ live, strategy });
    assert.equal(request.verb, 'apply');
    return request.force;
  };

  test('takes fields of other managers only with force', () => {
    const live = applied(serverSide);
    assert.equal(force(live), false);
    assert.equal(force(live, { ...serverSide, serverSideApplyConfig: { force: true } }), true);
  });

  test('takes fields that the agent itself created or updated', () => {
    assert.equal(force(applied(serverSide, managedBy('work-api-agent'))), true);
    assert.equal(force(applied(serverSide, managedBy('work-api-agent', 'before-first-apply'))), true);
    assert.equal(force(applied(serverSide, [])), true);
  });

  test('sends the resourceVersion it read only with whenToApply IfNotDrifted', () => {
    const live = applied(serverSide);
    const versionIn = (strategy: ApplyStrategy) => {
      const request = plan({ live, strategy });
      assert.equal(request.verb, 'apply');
      return request.object.metadata.resourceVersion;
    };
    assert.equal(versionIn(serverSide), undefined);
    assert.equal(versionIn({ ...serverSide, whenToApply: 'IfNotDrifted' }), '7');
  });
});

test('planning fails for an object that the Work does not own, and for ReportDiff', () => {
  assert.throws(() => plan({ live: settings({}) }), { name: 'OwnershipRefusal' });
  const reporting: ApplyStrategy = { ...clientSide, type: 'ReportDiff' };
  assert.throws(() => plan({ strategy: reporting }), new Error('unexpected apply strategy ReportDiff is found'));
});

test('a dry run applies the sanitised manifest by force, without owner, hash and last-applied annotation', () => {
  const exported = {
    ...manifest,
    metadata: { ...manifest.metadata, resourceVersion: '3', managedFields: [] },
    status: {},
  };
  assert.deepEqual(planDryRun(exported), { verb: 'apply', object: manifest, force: true });
});

test('planning leaves manifest and live object untouched', () => {
  const live = applied(clientSide);
  const before = structuredClone({ manifest, live });
  plan({ live, strategy: { ...clientSide, whenToApply: 'IfNotDrifted' } });
  assert.deepEqual({ manifest, live }, before);
});
