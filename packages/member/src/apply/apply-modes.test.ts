import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import {
  berth,
  berths,
  configMap,
  deployment,
  inWords,
  kinds,
  manifestOf,
  saidOf,
  TestApplier,
} from './applier.testing.ts';

function dataOf(object: KubeObject | undefined): unknown {
  return object?.['data'];
}

function replace(manifest: JsonObject) {
  return { workload: { manifests: [manifest] } };
}

for (const type of ['ClientSideApply', 'ServerSideApply'] as const) {
  describe(`with ${type}`, () => {
    const strategy = { type };
    let fleet: TestApplier;
    beforeEach(async () => {
      fleet = await TestApplier.start();
    });
    afterEach(() => fleet.stop());

    test('a manifest becomes an object that its AppliedWork owns', async () => {
      const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
      const applied = await fleet.appliedWork('web');
      const object = await fleet.onMember(kinds.configMap, 'settings');
      assert.deepEqual(object?.metadata.ownerReferences, [
        {
          apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
          kind: 'AppliedWork',
          name: 'web',
          uid: applied.metadata.uid,
          blockOwnerDeletion: true,
        },
      ]);
      assert.match(object.metadata.annotations?.['kubernetes-fleet.io/spec-hash'] ?? '', /^[0-9a-f]{64}$/);
      const lastApplied = object.metadata.annotations?.['kubernetes-fleet.io/last-applied-configuration'];
      assert.equal(lastApplied !== undefined, type === 'ClientSideApply');
      assert.deepEqual(
        object.metadata.managedFields?.map(({ manager }) => manager),
        ['work-api-agent'],
      );
      assert.deepEqual(inWords(work.status?.conditions), [
        'Applied=True AllManifestsApplied @1',
        'Available=True AllManifestsAvailable @1',
      ]);
    });

    test('a change of the manifest sets and removes fields', async () => {
      await fleet.place('web', [configMap('settings', { colour: 'blue', size: 'small' })], { strategy });
      const work = await fleet.change('web', (before) => ({
        ...before,
        spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
      }));
      assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'red' });
      assert.deepEqual(inWords(work.status?.conditions), [
        'Applied=True AllManifestsApplied @2',
        'Available=True AllManifestsAvailable @2',
      ]);
    });

    test('fields of others stay', async () => {
      await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
      await fleet.meddle(kinds.configMap, 'settings', { data: { theirs: 'yes' } });
      await fleet.settle();
      assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'blue', theirs: 'yes' });
    });

    test('a custom resource is applied and changed', async () => {
      await fleet.member.client.create(kinds.definition, berths as KubeObject);
      await fleet.settle();
      await fleet.place('sea', [berth('north', { depth: 4, note: 'mud' })], { strategy });
      const work = await fleet.change('sea', (before) => ({
        ...before,
        spec: { ...before.spec, ...replace(berth('north', { depth: 5 })) },
      }));
      assert.deepEqual((await fleet.onMember(kinds.berth, 'north'))?.['spec'], { depth: 5 });
      assert.deepEqual(inWords(work.status?.conditions), [
        'Applied=True AllManifestsApplied @2',
        'Available=True WorkNotTrackable @2',
      ]);
      assert.deepEqual(saidOf(work), ['Applied=True Applied @2', 'Available=True NotTrackable @2']);
    });

    test('what the member refuses says why', async () => {
      const work = await fleet.place('web', [deployment('BAD NAME')], { strategy });
      assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
      assert.match(
        manifestOf(work).conditions[0]?.message ?? '',
        /could not be applied: the member refused: .*BAD NAME/,
      );
      assert.deepEqual(inWords(work.status?.conditions), ['Applied=False SomeManifestsAreNotApplied @1']);
    });

    test('one manifest that fails does not keep later waves from being applied', async () => {
      const work = await fleet.place('web', [configMap('BAD'), deployment('web')], { strategy });
      assert.deepEqual(saidOf(work, 0), ['Applied=False ManifestApplyFailed']);
      assert.deepEqual(saidOf(work, 1), ['Applied=True Applied @1', 'Available=False ManifestNotAvailableYet @1']);
    });

    test('a Work comes with its own namespace', async () => {
      const inNew = { metadata: { name: 'settings', namespace: 'fresh' } };
      const work = await fleet.place(
        'web',
        [
          { ...configMap('settings'), ...inNew },
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } },
        ],
        { strategy },
      );
      assert.deepEqual(saidOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(saidOf(work, 1), ['Applied=True Applied', 'Available=True Available']);
    });

    describe('a drift', () => {
      test('is repaired with whenToApply Always, before any timer', async () => {
        await fleet.place('web', [configMap('settings', { colour: 'blue' })], {
          strategy: { type, serverSideApplyConfig: { force: true } },
        });
        const before = fleet.clock.now();
        await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'blue' });
        assert.ok(fleet.clock.now() - before < 1000);
      });

      test('is left alone and told with whenToApply IfNotDrifted, until somebody undoes it', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy: careful });
        await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        const drifted = await fleet.work('web');
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'green' });
        assert.deepEqual(saidOf(drifted), ['Applied=False FoundDrifts']);
        assert.deepEqual(manifestOf(drifted).driftDetails, {
          observationTime: '2026-01-01T00:00:00Z',
          observedInMemberClusterGeneration: 0,
          firstDriftedObservedTime: '2026-01-01T00:00:00Z',
          observedDrifts: [{ path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' }],
        });

        await fleet.clock.advance(6_000);
        const later = manifestOf(await fleet.work('web')).driftDetails;
        assert.equal(later?.firstDriftedObservedTime, '2026-01-01T00:00:00Z');
        assert.equal(later.observationTime, '2026-01-01T00:00:05Z');

        await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'blue' } });
        await fleet.settle();
        const work = await fleet.work('web');
        assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
        assert.equal(manifestOf(work).driftDetails, undefined);
      });

      test('is overwritten by a new manifest also with whenToApply IfNotDrifted', async () => {
        const careful = { type, whenToApply: 'IfNotDrifted', serverSideApplyConfig: { force: true } } as const;
        await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy: careful });
        await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        const work = await fleet.change('web', (before) => ({
          ...before,
          spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
        }));
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'red' });
        assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      });

      test('of a field that the manifest does not set is seen by a full comparison only', async () => {
        const partial = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        const full = { ...strategy, comparisonOption: 'FullComparison' } as const;
        await fleet.place('partial', [configMap('one', { colour: 'blue' })], { strategy: partial });
        await fleet.place('full', [configMap('two', { colour: 'blue' })], { strategy: full });
        for (const name of ['one', 'two']) await fleet.meddle(kinds.configMap, name, { data: { theirs: 'yes' } });
        await fleet.settle();
        assert.equal(manifestOf(await fleet.work('partial')).driftDetails, undefined);
        const work = await fleet.work('full');
        assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
        assert.deepEqual(manifestOf(work).driftDetails?.observedDrifts, [
          { path: '/data/theirs', valueInMember: 'yes' },
        ]);
      });

      test('of a Secret is told without its values', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        const secret = { ...configMap('password', { key: 'YmVmb3Jl' }), kind: 'Secret' };
        await fleet.place('web', [secret], { strategy: careful });
        await fleet.meddle(kinds.secret, 'password', { data: { key: 'YWZ0ZXI=' } });
        await fleet.settle();
        const redacted = '(redacted for security reasons)';
        assert.deepEqual(manifestOf(await fleet.work('web')).driftDetails?.observedDrifts, [
          { path: '/data/key', valueInMember: redacted, valueInHub: redacted },
        ]);
      });

      test('is found in degraded mode where the member calls the manifest invalid', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        await fleet.place('web', [deployment('web')], { strategy: careful });
        // Once immutable, a ConfigMap is as it is: what the manifest wants is invalid from then on.
        await fleet.place('fixed', [configMap('fixed', { colour: 'blue' })], { strategy: careful });
        await fleet.member.client.delete(kinds.configMap, { namespace: 'apps', name: 'fixed' });
        await fleet.settle();
        const { metadata = {}, ...rest } = (await fleet.onMember(kinds.configMap, 'fixed')) ?? {};
        await fleet.member.client.update(kinds.configMap, {
          ...(rest as KubeObject),
          metadata,
          data: { colour: 'green' },
          immutable: true,
        });
        await fleet.settle();
        const work = await fleet.work('fixed');
        assert.deepEqual(saidOf(work), ['Applied=False FoundDriftsInDegradedMode']);
        assert.deepEqual(manifestOf(work).driftDetails?.observedDrifts, [
          { path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' },
          { path: '/immutable', valueInMember: 'true' },
        ]);
      });
    });
  });
}

describe('with ServerSideApply', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('fields of another applier are a conflict, and the message begins with the word that people look for', async () => {
    await fleet.member.client.apply(kinds.configMap, configMap('settings', { colour: 'green' }) as KubeObject, {
      fieldManager: 'somebody',
    });
    const strategy = { type: 'ServerSideApply' } as const;
    const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictWithOtherApplier: .*somebody/);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
  });

  test('force takes them', async () => {
    await fleet.member.client.apply(kinds.configMap, configMap('settings', { colour: 'green' }) as KubeObject, {
      fieldManager: 'somebody',
    });
    const strategy = { type: 'ServerSideApply', serverSideApplyConfig: { force: true } } as const;
    const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
    assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
  });
});

describe('an object that changes between the look and the write', () => {
  const theirs = { type: 'merge', value: { data: { colour: 'green' } } } as const;

  /** A fleet in which somebody is faster than the next write of the kind. */
  async function raced(method: string, races: number): Promise<{ fleet: TestApplier; start: () => void }> {
    let left = 0;
    const fleet: TestApplier = await TestApplier.start({
      throughMember: (transport) => ({
        ...transport,
        send: async (request) => {
          if (request.method === method && request.path.endsWith('/configmaps/settings') && left-- > 0) {
            const value = { ...theirs.value, metadata: { annotations: { races: String(left) } } };
            const options = { fieldManager: 'somebody' };
            await fleet.member.client.patch(
              kinds.configMap,
              { namespace: 'apps', name: 'settings' },
              { ...theirs, value },
              options,
            );
          }
          return transport.send(request);
        },
      }),
    });
    return { fleet, start: () => void (left = races) };
  }

  test('is not taken from whom it belongs to since, though it was ours alone', async () => {
    const { fleet, start } = await raced('PATCH', 1);
    const strategy = { type: 'ServerSideApply' } as const;
    await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy });
    start();
    const work = await fleet.change('web', (before) => ({
      ...before,
      spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
    }));
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictWithOtherApplier: .*somebody/);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    await fleet.stop();
  });

  for (const races of [1, 4]) {
    test(`is looked at again, after ${races} lost races too`, async () => {
      const { fleet, start } = await raced('PUT', races);
      await fleet.member.client.create(kinds.configMap, configMap('settings', { colour: 'yellow' }) as KubeObject);
      start();
      const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
      assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
      await fleet.stop();
    });
  }
});

describe('with ClientSideApply', () => {
  test('an object too large to remember what was applied is applied server-side', async () => {
    const fleet = await TestApplier.start();
    const large = { text: 'x'.repeat(270_000) };
    await fleet.place('web', [configMap('large', large)]);
    const work = await fleet.change('web', (before) => ({
      ...before,
      spec: replace(configMap('large', { text: 'y'.repeat(270_000) })),
    }));
    assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
    const object = await fleet.onMember(kinds.configMap, 'large');
    assert.equal(object?.metadata.annotations?.['kubernetes-fleet.io/last-applied-configuration'], '');
    assert.ok(object.metadata.managedFields?.some(({ operation }) => operation === 'Apply'));
    await fleet.stop();
  });
});
