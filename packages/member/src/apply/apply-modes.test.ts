import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import {
  berth,
  berths,
  configMap,
  deployment,
  summariesOf,
  kinds,
  manifestOf,
  conditionsOf,
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

    test('creates an object that the AppliedWork owns', async () => {
      const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
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
      assert.deepEqual(summariesOf(work.status?.conditions), [
        'Applied=True AllManifestsApplied @1',
        'Available=True AllManifestsAvailable @1',
      ]);
    });

    test('sets and removes fields as the manifest changes', async () => {
      await fleet.createWork('web', [configMap('settings', { colour: 'blue', size: 'small' })], { strategy });
      const work = await fleet.change('web', (before) => ({
        ...before,
        spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
      }));
      assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'red' });
      assert.deepEqual(summariesOf(work.status?.conditions), [
        'Applied=True AllManifestsApplied @2',
        'Available=True AllManifestsAvailable @2',
      ]);
    });

    test('keeps fields of other clients', async () => {
      await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
      await fleet.changeOnMember(kinds.configMap, 'settings', { data: { theirs: 'yes' } });
      await fleet.settle();
      assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'blue', theirs: 'yes' });
    });

    test('applies and changes a custom resource', async () => {
      await fleet.member.client.create(kinds.definition, berths as KubeObject);
      await fleet.settle();
      await fleet.createWork('sea', [berth('north', { depth: 4, note: 'mud' })], { strategy });
      const work = await fleet.change('sea', (before) => ({
        ...before,
        spec: { ...before.spec, ...replace(berth('north', { depth: 5 })) },
      }));
      assert.deepEqual((await fleet.onMember(kinds.berth, 'north'))?.['spec'], { depth: 5 });
      assert.deepEqual(summariesOf(work.status?.conditions), [
        'Applied=True AllManifestsApplied @2',
        'Available=True WorkNotTrackable @2',
      ]);
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied @2', 'Available=True NotTrackable @2']);
    });

    test('reports why the member refuses an object', async () => {
      const work = await fleet.createWork('web', [deployment('BAD NAME')], { strategy });
      assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
      assert.match(
        manifestOf(work).conditions[0]?.message ?? '',
        /could not be applied: the member refused the request: .*BAD NAME/,
      );
      assert.deepEqual(summariesOf(work.status?.conditions), ['Applied=False SomeManifestsAreNotApplied @1']);
    });

    test('applies later waves after a manifest fails', async () => {
      const work = await fleet.createWork('web', [configMap('BAD'), deployment('web')], { strategy });
      assert.deepEqual(conditionsOf(work, 0), ['Applied=False ManifestApplyFailed']);
      assert.deepEqual(conditionsOf(work, 1), [
        'Applied=True Applied @1',
        'Available=False ManifestNotAvailableYet @1',
      ]);
    });

    test('applies a namespace and its objects from one Work', async () => {
      const inNew = { metadata: { name: 'settings', namespace: 'fresh' } };
      const work = await fleet.createWork(
        'web',
        [
          { ...configMap('settings'), ...inNew },
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } },
        ],
        { strategy },
      );
      assert.deepEqual(conditionsOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(conditionsOf(work, 1), ['Applied=True Applied', 'Available=True Available']);
    });

    describe('a drift', () => {
      test('is repaired with whenToApply Always, before any timer', async () => {
        await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], {
          strategy: { type, serverSideApplyConfig: { force: true } },
        });
        const before = fleet.clock.now();
        await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'blue' });
        assert.ok(fleet.clock.now() - before < 1000);
      });

      test('is reported, not repaired, with whenToApply IfNotDrifted until it is undone', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy: careful });
        await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        const drifted = await fleet.work('web');
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'green' });
        assert.deepEqual(conditionsOf(drifted), ['Applied=False FoundDrifts']);
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

        await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'blue' } });
        await fleet.settle();
        const work = await fleet.work('web');
        assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
        assert.equal(manifestOf(work).driftDetails, undefined);
      });

      test('is overwritten by a new manifest also with whenToApply IfNotDrifted', async () => {
        const careful = { type, whenToApply: 'IfNotDrifted', serverSideApplyConfig: { force: true } } as const;
        await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy: careful });
        await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
        await fleet.settle();
        const work = await fleet.change('web', (before) => ({
          ...before,
          spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
        }));
        assert.deepEqual(dataOf(await fleet.onMember(kinds.configMap, 'settings')), { colour: 'red' });
        assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      });

      test('of a field that the manifest does not set is found by a full comparison only', async () => {
        const partial = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        const full = { ...strategy, comparisonOption: 'FullComparison' } as const;
        await fleet.createWork('partial', [configMap('one', { colour: 'blue' })], { strategy: partial });
        await fleet.createWork('full', [configMap('two', { colour: 'blue' })], { strategy: full });
        for (const name of ['one', 'two'])
          await fleet.changeOnMember(kinds.configMap, name, { data: { theirs: 'yes' } });
        await fleet.settle();
        assert.equal(manifestOf(await fleet.work('partial')).driftDetails, undefined);
        const work = await fleet.work('full');
        assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
        assert.deepEqual(manifestOf(work).driftDetails?.observedDrifts, [
          { path: '/data/theirs', valueInMember: 'yes' },
        ]);
      });

      test('of a Secret is reported without values', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        const secret = { ...configMap('password', { key: 'YmVmb3Jl' }), kind: 'Secret' };
        await fleet.createWork('web', [secret], { strategy: careful });
        await fleet.changeOnMember(kinds.secret, 'password', { data: { key: 'YWZ0ZXI=' } });
        await fleet.settle();
        const redacted = '(redacted for security reasons)';
        assert.deepEqual(manifestOf(await fleet.work('web')).driftDetails?.observedDrifts, [
          { path: '/data/key', valueInMember: redacted, valueInHub: redacted },
        ]);
      });

      test('is found in degraded mode if the member rejects the manifest as invalid', async () => {
        const careful = { ...strategy, whenToApply: 'IfNotDrifted' } as const;
        await fleet.createWork('web', [deployment('web')], { strategy: careful });
        // The member rejects the manifest as invalid once the ConfigMap is immutable.
        await fleet.createWork('fixed', [configMap('fixed', { colour: 'blue' })], { strategy: careful });
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
        assert.deepEqual(conditionsOf(work), ['Applied=False FoundDriftsInDegradedMode']);
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

  test('reports fields of another applier as ApplyConflictWithOtherApplier', async () => {
    await fleet.member.client.apply(kinds.configMap, configMap('settings', { colour: 'green' }), {
      fieldManager: 'other-client',
    });
    const strategy = { type: 'ServerSideApply' } as const;
    const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictWithOtherApplier: .*other-client/);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
  });

  test('overwrites fields of another applier with force', async () => {
    await fleet.member.client.apply(kinds.configMap, configMap('settings', { colour: 'green' }), {
      fieldManager: 'other-client',
    });
    const strategy = { type: 'ServerSideApply', serverSideApplyConfig: { force: true } } as const;
    const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
  });
});

describe('an object that changes between the read and the write', () => {
  const theirs = { type: 'merge', value: { data: { colour: 'green' } } } as const;

  /** A fleet in which another client writes just before the next writes of the applier. */
  async function raced(method: string, races: number): Promise<{ fleet: TestApplier; start: () => void }> {
    let left = 0;
    const fleet: TestApplier = await TestApplier.start({
      throughMember: (transport) => ({
        ...transport,
        send: async (request) => {
          if (request.method === method && request.path.endsWith('/configmaps/settings') && left-- > 0) {
            const value = { ...theirs.value, metadata: { annotations: { races: String(left) } } };
            const options = { fieldManager: 'other-client' };
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

  test('keeps the fields that another client set meanwhile', async () => {
    const { fleet, start } = await raced('PATCH', 1);
    const strategy = { type: 'ServerSideApply' } as const;
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy });
    start();
    const work = await fleet.change('web', (before) => ({
      ...before,
      spec: { ...before.spec, ...replace(configMap('settings', { colour: 'red' })) },
    }));
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictWithOtherApplier: .*other-client/);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    await fleet.stop();
  });

  for (const races of [1, 4]) {
    test(`is read again and applied after ${races} write conflicts`, async () => {
      const { fleet, start } = await raced('PUT', races);
      await fleet.member.client.create(kinds.configMap, configMap('settings', { colour: 'yellow' }));
      start();
      const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
      await fleet.stop();
    });
  }
});

describe('with ClientSideApply', () => {
  test('applies server-side if the last-applied annotation would be too large', async () => {
    const fleet = await TestApplier.start();
    const large = { text: 'x'.repeat(270_000) };
    await fleet.createWork('web', [configMap('large', large)]);
    const work = await fleet.change('web', (before) => ({
      ...before,
      spec: replace(configMap('large', { text: 'y'.repeat(270_000) })),
    }));
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    const object = await fleet.onMember(kinds.configMap, 'large');
    assert.equal(object?.metadata.annotations?.['kubernetes-fleet.io/last-applied-configuration'], '');
    assert.ok(object.metadata.managedFields?.some(({ operation }) => operation === 'Apply'));
    await fleet.stop();
  });
});
