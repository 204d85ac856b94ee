import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { appliedWorks } from '@flotilla/api';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { configMap, inWords, kinds, manifestOf, saidOf, TestApplier } from './applier.testing.ts';

for (const type of ['ClientSideApply', 'ServerSideApply'] as const) {
  describe(`an object that was on the member before, with ${type}`, () => {
    let fleet: TestApplier;
    beforeEach(async () => {
      fleet = await TestApplier.start();
    });
    afterEach(() => fleet.stop());

    async function exists(data: Record<string, string>, metadata: JsonObject = {}): Promise<void> {
      await fleet.member.client.create(kinds.configMap, configMap('settings', data, metadata) as KubeObject);
    }

    async function owners(): Promise<string[]> {
      const object = await fleet.onMember(kinds.configMap, 'settings');
      return (object?.metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`);
    }

    async function owner(name: string): Promise<JsonObject> {
      const object = configMap(name) as KubeObject;
      const { apiVersion, kind, metadata } = await fleet.member.client.create(kinds.configMap, object);
      return { apiVersion, kind, name, uid: metadata.uid ?? '' };
    }

    const ours = [configMap('settings', { colour: 'blue' })];
    const strategy = { type, serverSideApplyConfig: { force: true } } as const;

    test('is taken over and changed', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.place('web', ours, { strategy });
      assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
    });

    test('is not taken over with whenToTakeOver Never', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.place('web', ours, { strategy: { ...strategy, whenToTakeOver: 'Never' } });
      assert.deepEqual(saidOf(work), ['Applied=False NotTakenOver']);
      assert.match(manifestOf(work).conditions[0]?.message ?? '', /set whenToTakeOver/);
      assert.deepEqual(await owners(), []);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
      assert.deepEqual((await fleet.appliedWork('web')).status?.appliedResources ?? [], []);
    });

    test('is taken over with IfNoDiff when nothing that the manifest sets differs', async () => {
      await exists({ colour: 'blue', theirs: 'yes' });
      const work = await fleet.place('web', ours, { strategy: { ...strategy, whenToTakeOver: 'IfNoDiff' } });
      assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
    });

    test('is not taken over with IfNoDiff when something differs, until that is made equal', async () => {
      await exists({ colour: 'green' });
      const work = await fleet.place('web', ours, { strategy: { ...strategy, whenToTakeOver: 'IfNoDiff' } });
      assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(manifestOf(work).diffDetails, {
        observationTime: '2026-01-01T00:00:00Z',
        observedInMemberClusterGeneration: 0,
        firstDiffedObservedTime: '2026-01-01T00:00:00Z',
        observedDiffs: [{ path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' }],
      });
      assert.deepEqual(await owners(), []);

      await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'blue' } });
      await fleet.settle();
      const later = await fleet.work('web');
      assert.deepEqual(saidOf(later), ['Applied=True Applied', 'Available=True Available']);
      assert.equal(manifestOf(later).diffDetails, undefined);
    });

    test('is not taken over with IfNoDiff and a full comparison when it has more than the manifest', async () => {
      await exists({ colour: 'blue', theirs: 'yes' });
      const careful = { ...strategy, whenToTakeOver: 'IfNoDiff', comparisonOption: 'FullComparison' } as const;
      const work = await fleet.place('web', ours, { strategy: careful });
      assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(manifestOf(work).diffDetails?.observedDiffs, [{ path: '/data/theirs', valueInMember: 'yes' }]);
    });

    test('is not taken over from an owner', async () => {
      await exists({ colour: 'green' }, { ownerReferences: [await owner('parent')] });
      const work = await fleet.place('web', ours, { strategy });
      assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
      assert.deepEqual(await owners(), ['ConfigMap parent']);
    });

    test('is shared with its owner where the strategy allows that', async () => {
      await exists({ colour: 'green' }, { ownerReferences: [await owner('parent')] });
      const work = await fleet.place('web', ours, { strategy: { ...strategy, allowCoOwnership: true } });
      assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['ConfigMap parent', 'AppliedWork web']);
    });

    test('is not shared between two Works, and the message begins with the word that people look for', async () => {
      await fleet.place('first', ours, { strategy });
      for (const allowCoOwnership of [false, true]) {
        const name = `second-${allowCoOwnership}`;
        const work = await fleet.place(name, ours, { strategy: { ...strategy, allowCoOwnership } });
        assert.deepEqual(saidOf(work), ['Applied=False FailedToTakeOver']);
        assert.match(manifestOf(work).conditions[0]?.message ?? '', /^ApplyConflictBetweenPlacements: /);
      }
      assert.deepEqual(await owners(), ['AppliedWork first']);
    });

    test('goes to the second Work when the first one lets go of it', async () => {
      await fleet.place('first', ours, { strategy });
      await fleet.place('second', ours, { strategy });
      await fleet.change('first', (work) => ({ ...work, spec: { workload: { manifests: [] } } }));
      await fleet.settle();
      assert.deepEqual(saidOf(await fleet.work('second')), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork second']);
    });

    test('loses an AppliedWork that an earlier membership left behind', async () => {
      const left = await fleet.member.create(appliedWorks, {
        metadata: { name: 'long-gone' },
        spec: { workName: 'long-gone', workNamespace: 'fleet-member-paris' },
      });
      const { apiVersion, kind, metadata } = left;
      const reference = { apiVersion, kind, name: 'long-gone', uid: metadata.uid ?? '', blockOwnerDeletion: true };
      await exists({ colour: 'green' }, { ownerReferences: [reference] });
      const work = await fleet.place('web', ours, { strategy });
      assert.deepEqual(saidOf(work), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(await owners(), ['AppliedWork web']);
    });

    test('that gets a second owner later fails to be applied, and stays as it is', async () => {
      await fleet.place('web', ours, { strategy });
      const mine = (await fleet.onMember(kinds.configMap, 'settings'))?.metadata.ownerReferences ?? [];
      const ownerReferences = [...mine, await owner('parent')];
      await fleet.meddle(kinds.configMap, 'settings', { metadata: { ownerReferences }, data: { colour: 'green' } });
      await fleet.settle();
      const work = await fleet.work('web');
      assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
      assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'green' });
    });

    test('cannot be given owners by its manifest', async () => {
      const manifest = configMap('settings', {}, { ownerReferences: [await owner('parent')] });
      const work = await fleet.place('web', [manifest], { strategy });
      assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
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

  test('a missing object is one difference, and is not created', async () => {
    const work = await fleet.place('web', [configMap('settings')], { strategy });
    assert.deepEqual(inWords(work.status?.conditions), ['DiffReported=True AllManifestsDiffReported @1']);
    assert.deepEqual(saidOf(work), ['DiffReported=True FoundDiff']);
    assert.deepEqual(manifestOf(work).diffDetails, {
      observationTime: '2026-01-01T00:00:00Z',
      firstDiffedObservedTime: '2026-01-01T00:00:00Z',
      observedDiffs: [{ path: '/', valueInHub: '(the whole object)' }],
    });
    assert.equal(await fleet.onMember(kinds.configMap, 'settings'), undefined);
    assert.deepEqual((await fleet.appliedWork('web')).status?.appliedResources ?? [], []);
  });

  test('differences are reported and follow the object, without any change to it', async () => {
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    const object = configMap('settings', { colour: 'green' }) as KubeObject;
    const before = await fleet.member.client.create(kinds.configMap, object);
    const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy: never });
    assert.deepEqual(saidOf(work), ['DiffReported=True FoundDiff']);
    assert.deepEqual(manifestOf(work).diffDetails?.observedDiffs, [
      { path: '/data/colour', valueInMember: 'green', valueInHub: 'blue' },
    ]);
    assert.deepEqual(await fleet.onMember(kinds.configMap, 'settings'), before);

    await fleet.meddle(kinds.configMap, 'settings', { data: { colour: 'blue' } });
    await fleet.settle();
    const later = await fleet.work('web');
    assert.deepEqual(saidOf(later), ['DiffReported=True NoDiffFound']);
    assert.equal(manifestOf(later).diffDetails, undefined);
  });

  test('an object that cannot be taken over has no reported difference', async () => {
    await fleet.place('first', [configMap('settings')]);
    const work = await fleet.place('second', [configMap('settings')], { strategy });
    assert.deepEqual(saidOf(work), ['DiffReported=False FailedToReportDiff']);
    assert.deepEqual(inWords(work.status?.conditions), ['DiffReported=False SomeManifestsHaveNotReportedDiff @1']);
  });

  test('a difference found in degraded mode keeps the Work from having reported', async () => {
    const object = { ...configMap('settings', { colour: 'green' }), immutable: true } as unknown as KubeObject;
    await fleet.member.client.create(kinds.configMap, object);
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    const work = await fleet.place('web', [configMap('settings', { colour: 'blue' })], { strategy: never });
    assert.deepEqual(saidOf(work), ['DiffReported=True FoundDiffInDegradedMode']);
    assert.deepEqual(inWords(work.status?.conditions), ['DiffReported=False SomeManifestsHaveNotReportedDiff @1']);
  });

  test('a manifest that cannot be read has none either', async () => {
    const work = await fleet.place('web', [{ apiVersion: 'v1', kind: 'Nonsense', metadata: { name: 'a' } }], {
      strategy,
    });
    assert.deepEqual(saidOf(work), ['DiffReported=False FailedToReportDiff']);
  });

  test('a Work that applied before has nothing applied while it only compares', async () => {
    await fleet.place('web', [configMap('settings')]);
    await fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: strategy as never } }));
    assert.deepEqual((await fleet.appliedWork('web')).status, {});
  });

  test('a Work that applied before takes its other conditions back, and gives them again', async () => {
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    const withStrategy = (type: 'ReportDiff' | 'ClientSideApply') =>
      fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: { type } as never } }));
    const reported = await withStrategy('ReportDiff');
    assert.deepEqual(inWords(reported.status?.conditions), ['DiffReported=True AllManifestsDiffReported @2']);
    assert.deepEqual(saidOf(reported), ['DiffReported=True NoDiffFound']);
    const applied = await withStrategy('ClientSideApply');
    assert.deepEqual(inWords(applied.status?.conditions), [
      'Applied=True AllManifestsApplied @3',
      'Available=True AllManifestsAvailable @3',
    ]);
    assert.deepEqual(saidOf(applied), ['Applied=True Applied', 'Available=True Available']);
  });

  test('objects that were applied before and are not in the Work any more stay', async () => {
    await fleet.place('web', [configMap('one'), configMap('two')]);
    const reporting = { type: 'ReportDiff' } as never;
    await fleet.change('web', (work) => ({
      ...work,
      spec: { workload: { manifests: [configMap('one')] }, applyStrategy: reporting },
    }));
    assert.notEqual(await fleet.onMember(kinds.configMap, 'two'), undefined);
  });
});
