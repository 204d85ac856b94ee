import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { appliedWorks } from '@flotilla/api';
import type { JsonObject, KubeObject, OwnerReference } from '@flotilla/kube';
import { configMap, summariesOf, kinds, manifestOf, conditionsOf, TestApplier } from './applier.testing.ts';

for (const type of ['ClientSideApply', 'ServerSideApply'] as const) {
  describe(`an object that existed on the member before, with ${type}`, () => {
    let fleet: TestApplier;
    beforeEach(async () => {
      fleet = await TestApplier.start();
    });
    afterEach(() => fleet.stop());

    async function exists(data: Record<string, string>, metadata: JsonObject = {}): Promise<void> {
      await fleet.member.client.create(kinds.configMap, configMap('settings', data, metadata));
    }

    async function owners(): Promise<string[]> {
      const object = await fleet.onMember(kinds.configMap, 'settings');
      return (object?.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
    }

    async function owner(name: string): Promise<OwnerReference> {
      const object = configMap(name);
      const { apiVersion, kind, metadata } = await fleet.member.client.create(kinds.configMap, object);
      return { apiVersion, kind, name, uid: metadata.uid ?? '' };
    }

    const ours = [configMap('settings', { colour: 'blue' })];
    const strategy = { type, serverSideApplyConfig: { force: true } } as const;

    test('is taken over and changed', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.createWork('web', ours, { strategy });
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
    });

    test('is not taken over with whenToTakeOver Never', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.createWork('web', ours, { strategy: { ...strategy, whenToTakeOver: 'Never' } });
      assert.deepEqual(conditionsOf(work), ['Applied=False NotTakenOver']);
      assert.match(manifestOf(work).conditions[0]?.message ?? '', /change whenToTakeOver/);
      assert.deepEqual(await owners(), []);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
      assert.deepEqual((await fleet.appliedWork('web')).status?.appliedResources ?? [], []);
    });

    test('is taken over with IfNoDiff when nothing that the manifest sets differs', async () => {
      await exists({ colour: 'blue', theirs: 'yes' });
      const work = await fleet.createWork('web', ours, { strategy: { ...strategy, whenToTakeOver: 'IfNoDiff' } });
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
    });

    test('is not taken over with IfNoDiff when something differs, until that is made equal', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.createWork('web', ours, { strategy: { ...strategy, whenToTakeOver: 'IfNoDiff' } });
      assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(manifestOf(work).diffDetails, {
        observationTime: '2026-01-01T00:00:00Z',
        observedInMemberClusterGeneration: 0,
        firstDiffedObservedTime: '2026-01-01T00:00:00Z',
        observedDiffs: [{ path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' }],
      });
      assert.deepEqual(await owners(), []);

      await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'blue' } });
      await fleet.settle();
      const later = await fleet.work('web');
      assert.deepEqual(conditionsOf(later), ['Applied=True Applied', 'Available=True Available']);
      assert.equal(manifestOf(later).diffDetails, undefined);
    });

    test('is not taken over with IfNoDiff and a full comparison when it has more than the manifest', async () => {
      await exists({ colour: 'blue', theirs: 'yes' });
      const careful = { ...strategy, whenToTakeOver: 'IfNoDiff', comparisonOption: 'FullComparison' } as const;
      const work = await fleet.createWork('web', ours, { strategy: careful });
      assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(manifestOf(work).diffDetails?.observedDiffs, [{ path: '/data/theirs', valueInMember: 'yes' }]);
    });

    test('is not taken over if it has an owner', async () => {
      await exists({ colour: 'green' }, { ownerReferences: [await owner('parent')] });
      const work = await fleet.createWork('web', ours, { strategy });
      assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(await owners(), ['ConfigMap parent']);
    });

    test('is shared with its owner if allowCoOwnership is set', async () => {
      await exists({ colour: 'green' }, { ownerReferences: [await owner('parent')] });
      const work = await fleet.createWork('web', ours, { strategy: { ...strategy, allowCoOwnership: true } });
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['ConfigMap parent', 'AppliedWork web']);
    });

    test('is not shared between two Works, and the message starts with ApplyConflictBetweenPlacements', async () => {
      await fleet.createWork('first', ours, { strategy });
      for (const allowCoOwnership of [false, true]) {
        const name = `second-${allowCoOwnership}`;
        const work = await fleet.createWork(name, ours, { strategy: { ...strategy, allowCoOwnership } });
        assert.deepEqual(conditionsOf(work), ['Applied=False FailedToTakeOver']);
        assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictBetweenPlacements: /);
      }
      assert.deepEqual(await owners(), ['AppliedWork first']);
    });

    test('is taken over by the second Work when the first one releases it', async () => {
      await fleet.createWork('first', ours, { strategy });
      await fleet.createWork('second', ours, { strategy });
      await fleet.change('first', (work) => ({ ...work, spec: { workload: { manifests: [] } } }));
      await fleet.settle();
      assert.deepEqual(conditionsOf(await fleet.work('second')), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork second']);
    });

    test('loses the owner reference that an earlier membership left behind', async () => {
      const left = await fleet.member.create(appliedWorks, {
        metadata: { name: 'long-gone' },
        spec: { workName: 'long-gone', workNamespace: 'fleet-member-paris' },
      });
      const { apiVersion, kind, metadata } = left;
      const reference = { apiVersion, kind, name: 'long-gone', uid: metadata.uid ?? '', blockOwnerDeletion: true };
      await exists({ colour: 'green' }, { ownerReferences: [reference] });
      const work = await fleet.createWork('web', ours, { strategy });
      assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
    });

    test('is not applied any more after it gets a second owner', async () => {
      await fleet.createWork('web', ours, { strategy });
      const mine = (await fleet.onMember(kinds.configMap, 'settings'))?.metadata.ownerReferences ?? [];
      const ownerReferences = [...mine, await owner('parent')];
      await fleet.changeOnMember(kinds.configMap, 'settings', {
        metadata: { ownerReferences },
        data: { colour: 'green' },
      });
      await fleet.settle();
      const work = await fleet.work('web');
      assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    });

    test('is refused if its manifest has owners', async () => {
      const manifest = configMap('settings', {}, { ownerReferences: [await owner('parent')] });
      const work = await fleet.createWork('web', [manifest], { strategy });
      assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
      assert.equal(await fleet.onMember(kinds.configMap, 'settings'), undefined);
    });
  });
}

describe('with ReportDiff', () => {
  const strategy = { type: 'ReportDiff' } as const;
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('a missing object is reported as one difference, and not created', async () => {
    const work = await fleet.createWork('web', [configMap('settings')], { strategy });
    assert.deepEqual(summariesOf(work.status?.conditions), ['DiffReported=True AllManifestsDiffReported @1']);
    assert.deepEqual(conditionsOf(work), ['DiffReported=True FoundDiff']);
    assert.deepEqual(manifestOf(work).diffDetails, {
      observationTime: '2026-01-01T00:00:00Z',
      firstDiffedObservedTime: '2026-01-01T00:00:00Z',
      observedDiffs: [{ path: '/', valueInHub: '(the whole object)' }],
    });
    assert.equal(await fleet.onMember(kinds.configMap, 'settings'), undefined);
    assert.deepEqual((await fleet.appliedWork('web')).status?.appliedResources ?? [], []);
  });

  test('differences are reported as the object changes, and it is not written', async () => {
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    const object = configMap('settings', { colour: 'green' });
    const before = await fleet.member.client.create(kinds.configMap, object);
    const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy: never });
    assert.deepEqual(conditionsOf(work), ['DiffReported=True FoundDiff']);
    assert.deepEqual(manifestOf(work).diffDetails?.observedDiffs, [
      { path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' },
    ]);
    assert.deepEqual(await fleet.onMember(kinds.configMap, 'settings'), before);

    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'blue' } });
    await fleet.settle();
    const later = await fleet.work('web');
    assert.deepEqual(conditionsOf(later), ['DiffReported=True NoDiffFound']);
    assert.equal(manifestOf(later).diffDetails, undefined);
  });

  test('an object that cannot be taken over has no reported difference', async () => {
    await fleet.createWork('first', [configMap('settings')]);
    const work = await fleet.createWork('second', [configMap('settings')], { strategy });
    assert.deepEqual(conditionsOf(work), ['DiffReported=False FailedToReportDiff']);
    assert.deepEqual(summariesOf(work.status?.conditions), ['DiffReported=False SomeManifestsHaveNotReportedDiff @1']);
  });

  test('a difference found in degraded mode keeps the Work from having reported', async () => {
    const object = { ...configMap('settings', { colour: 'green' }), immutable: true } as unknown as KubeObject;
    await fleet.member.client.create(kinds.configMap, object);
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    const work = await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { strategy: never });
    assert.deepEqual(conditionsOf(work), ['DiffReported=True FoundDiffInDegradedMode']);
    assert.deepEqual(summariesOf(work.status?.conditions), ['DiffReported=False SomeManifestsHaveNotReportedDiff @1']);
  });

  test('a manifest that cannot be decoded has no reported difference', async () => {
    const work = await fleet.createWork('web', [{ apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'a' } }], {
      strategy,
    });
    assert.deepEqual(conditionsOf(work), ['DiffReported=False FailedToReportDiff']);
  });

  test('a Work that was applied before is not applied while it only compares', async () => {
    await fleet.createWork('web', [configMap('settings')]);
    await fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: strategy as never } }));
    assert.deepEqual((await fleet.appliedWork('web')).status, {});
  });

  test('a Work that was applied before loses Applied and Available, and gets them again', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    const withStrategy = (type: 'ReportDiff' | 'ClientSideApply') =>
      fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: { type } as never } }));
    const reported = await withStrategy('ReportDiff');
    assert.deepEqual(summariesOf(reported.status?.conditions), ['DiffReported=True AllManifestsDiffReported @2']);
    assert.deepEqual(conditionsOf(reported), ['DiffReported=True NoDiffFound']);
    const applied = await withStrategy('ClientSideApply');
    assert.deepEqual(summariesOf(applied.status?.conditions), [
      'Applied=True AllManifestsApplied @3',
      'Available=True AllManifestsAvailable @3',
    ]);
    assert.deepEqual(conditionsOf(applied), ['Applied=True Applied', 'Available=True Available']);
  });

  test('objects that are no longer in the Work stay', async () => {
    await fleet.createWork('web', [configMap('one'), configMap('two')]);
    const reporting = { type: 'ReportDiff' } as never;
    await fleet.change('web', (work) => ({
      ...work,
      spec: { workload: { manifests: [configMap('one')] }, applyStrategy: reporting },
    }));
    assert.notEqual(await fleet.onMember(kinds.configMap, 'two'), undefined);
  });
});
