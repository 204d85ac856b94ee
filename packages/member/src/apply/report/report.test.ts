import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApplyStrategy, ManifestCondition, Work, WorkStatus } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Outcome, Result } from '../manifest/outcome.ts';
import { summariesOf } from '../applier.testing.ts';
import { report } from './report.ts';

const then = '2025-12-31T00:00:00Z';
const now = new Date('2026-01-01T00:00:00.750Z');
const nowText = '2026-01-01T00:00:00Z';

function aWork(status?: WorkStatus, strategy: Partial<ApplyStrategy> = {}): Work {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name: 'web', namespace: 'fleet-member-paris', generation: 4 },
    spec: { applyStrategy: strategy as ApplyStrategy },
    ...(status && { status }),
  };
}

function mirroring(work: Work): Work {
  return { ...work, spec: { ...work.spec, reportBackStrategy: { type: 'Mirror' } } };
}

const identifier = {
  ordinal: 0,
  version: 'v1',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespace: 'apps',
  name: 'a',
};

function aLive(generation: number, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: '1', generation }, ...more };
}

function outcome(result: Result, more: Partial<Outcome> = {}): Outcome {
  return { identifier, result, ...more };
}

const applied = outcome('Applied', { live: aLive(7), availability: { result: 'Available' } });

function conditionsOfFirst(outcomes: readonly Outcome[], work = aWork()): string[] {
  return summariesOf(report(work, outcomes, now).status.manifestConditions?.[0]?.conditions);
}

function conditionsOfWork(outcomes: readonly Outcome[], work = aWork()): string[] {
  return summariesOf(report(work, outcomes, now).status.conditions);
}

describe('the report of a manifest', () => {
  test('has the generation of the object on the member', () => {
    assert.deepEqual(conditionsOfFirst([applied]), ['Applied=True Applied @7', 'Available=True Available @7']);
  });

  test('omits the generation of an object without one', () => {
    const without = outcome('Applied', { live: aLive(0), availability: { result: 'NotTrackable' } });
    assert.deepEqual(conditionsOfFirst([without]), ['Applied=True Applied', 'Available=True NotTrackable']);
  });

  test('counts a manifest with failed drift detection as applied', () => {
    const result = outcome('AppliedWithFailedDriftDetection', {
      ...applied,
      result: 'AppliedWithFailedDriftDetection',
    });
    assert.deepEqual(conditionsOfFirst([result]), [
      'Applied=True AppliedWithFailedDriftDetection @7',
      'Available=True Available @7',
    ]);
    assert.deepEqual(conditionsOfWork([result]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
  });

  const failures: Result[] = [
    'DecodingErred',
    'FoundGenerateName',
    'Duplicated',
    'FailedToFindObjInMemberCluster',
    'FailedToTakeOver',
    'NotTakenOver',
    'FailedToRunDriftDetection',
    'FoundDrifts',
    'FoundDriftsInDegradedMode',
    'ManifestApplyFailed',
  ];
  for (const result of failures) {
    test(`has ${result} with its message, and no Available condition`, () => {
      const { status } = report(aWork(), [outcome(result, { problem: 'because' })], now);
      assert.deepEqual(summariesOf(status.manifestConditions?.[0]?.conditions), [`Applied=False ${result}`]);
      assert.equal(status.manifestConditions?.[0]?.conditions[0]?.message, 'because');
    });
  }

  test('has the availability of the object', () => {
    const notYet = { ...applied, availability: { result: 'ManifestNotAvailableYet' } } as const;
    const failed = { ...applied, availability: { result: 'Failed', problem: 'odd' } } as const;
    assert.deepEqual(conditionsOfFirst([notYet]), [
      'Applied=True Applied @7',
      'Available=False ManifestNotAvailableYet @7',
    ]);
    assert.deepEqual(conditionsOfFirst([failed]), ['Applied=True Applied @7', 'Available=False Failed @7']);
  });

  test('changes a transition time only with the status', () => {
    const conditions = [
      { type: 'Applied', status: 'True', lastTransitionTime: then, reason: 'Applied', message: 'then' },
      { type: 'Available', status: 'False', lastTransitionTime: then, reason: 'ManifestNotAvailableYet', message: '' },
    ] as const;
    const manifestConditions = [{ identifier: { ...identifier, ordinal: 5 }, conditions: [...conditions] }];
    const { status } = report(aWork({ conditions: [], manifestConditions }), [applied], now);
    const [entry] = status.manifestConditions ?? [];
    assert.deepEqual(
      entry?.conditions.map(({ lastTransitionTime }) => lastTransitionTime),
      [then, nowText],
    );
    assert.equal(entry.identifier.ordinal, 0);
  });

  test('cuts a message that the server would refuse', () => {
    const { status } = report(aWork(), [outcome('ManifestApplyFailed', { problem: 'x'.repeat(100_000) })], now);
    assert.ok((status.manifestConditions?.[0]?.conditions[0]?.message.length ?? 0) < 32_768);
  });

  test('keeps conditions of other clients', () => {
    const theirs = { type: 'Theirs', status: 'True', lastTransitionTime: then, reason: 'A', message: '' } as const;
    const manifestConditions = [{ identifier, conditions: [theirs] }];
    assert.deepEqual(conditionsOfFirst([applied], aWork({ conditions: [theirs], manifestConditions })), [
      'Theirs=True A',
      'Applied=True Applied @7',
      'Available=True Available @7',
    ]);
  });

  test('keeps the order of the manifests', () => {
    const other = { ...applied, identifier: { ...identifier, ordinal: 1, name: 'b' } };
    const { status } = report(aWork(), [applied, other], now);
    assert.deepEqual(
      status.manifestConditions?.map((entry) => entry.identifier.name),
      ['a', 'b'],
    );
  });
});

describe('the details of a drift', () => {
  const drifts = [{ path: '/data/a', valueInMember: '1', valueInHub: '2' }];
  const drifted = outcome('FoundDrifts', { live: aLive(3), drifts });

  function detailed(first: string): ManifestCondition {
    const driftDetails = {
      observationTime: first,
      observedInMemberClusterGeneration: 2,
      firstDriftedObservedTime: first,
      observedDrifts: [],
    };
    return { identifier, conditions: [], driftDetails };
  }

  test('start with the current time', () => {
    const { status } = report(aWork(), [drifted], now);
    assert.deepEqual(status.manifestConditions?.[0]?.driftDetails, {
      observationTime: nowText,
      observedInMemberClusterGeneration: 3,
      firstDriftedObservedTime: nowText,
      observedDrifts: drifts,
    });
  });

  test('keep the time of the first observation', () => {
    const { status } = report(aWork({ conditions: [], manifestConditions: [detailed(then)] }), [drifted], now);
    const details = status.manifestConditions?.[0]?.driftDetails;
    assert.deepEqual([details?.firstDriftedObservedTime, details?.observationTime], [then, nowText]);
  });

  test('are removed with the drift', () => {
    const { status } = report(aWork({ conditions: [], manifestConditions: [detailed(then)] }), [applied], now);
    assert.equal(status.manifestConditions?.[0]?.driftDetails, undefined);
  });

  test('are written each time, because of their observation time', () => {
    const work = aWork(report(aWork(), [drifted], now).status);
    assert.equal(report(work, [drifted], now).shouldWrite, true);
  });
});

describe('the details of a diff', () => {
  const diffs = [{ path: '/', valueInHub: '(the whole object)' }];

  test('have no generation where the member has no object', () => {
    const { status } = report(aWork(undefined, { type: 'ReportDiff' }), [outcome('FoundDiff', { diffs })], now);
    assert.deepEqual(status.manifestConditions?.[0]?.diffDetails, {
      observationTime: nowText,
      firstDiffedObservedTime: nowText,
      observedDiffs: diffs,
    });
  });

  test('have the generation of an existing object, even if it is 0', () => {
    const found = outcome('FoundDiff', { diffs, live: aLive(0) });
    const { status } = report(aWork(undefined, { type: 'ReportDiff' }), [found], now);
    assert.equal(status.manifestConditions?.[0]?.diffDetails?.observedInMemberClusterGeneration, 0);
  });
});

describe('the report of a Work', () => {
  const failed = outcome('ManifestApplyFailed');
  const notYet: Outcome = { ...applied, availability: { result: 'ManifestNotAvailableYet' } };
  const untracked: Outcome = { ...applied, availability: { result: 'NotTrackable' } };

  test('summarises all manifests', () => {
    assert.deepEqual(conditionsOfWork([applied, applied]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
    assert.deepEqual(conditionsOfWork([applied, notYet]), [
      'Applied=True AllManifestsApplied @4',
      'Available=False SomeManifestsAreNotAvailable @4',
    ]);
    assert.deepEqual(conditionsOfWork([applied, untracked]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True WorkNotTrackable @4',
    ]);
  });

  test('has no Available condition until all manifests are applied, and drops an earlier one', () => {
    const before = report(aWork(), [applied], now).status;
    assert.deepEqual(conditionsOfWork([applied, failed], aWork(before)), [
      'Applied=False SomeManifestsAreNotApplied @4',
    ]);
  });

  test('with ReportDiff has DiffReported only', () => {
    const reporting = aWork(report(aWork(), [applied], now).status, { type: 'ReportDiff' });
    const none = outcome('NoDiffFound', { live: aLive(1) });
    const degraded = outcome('FoundDiffInDegradedMode', { live: aLive(1) });
    assert.deepEqual(conditionsOfWork([none], reporting), ['DiffReported=True AllManifestsDiffReported @4']);
    assert.deepEqual(conditionsOfWork([none, failed], reporting), [
      'DiffReported=False SomeManifestsHaveNotReportedDiff @4',
    ]);
    assert.deepEqual(conditionsOfWork([degraded], reporting), [
      'DiffReported=False SomeManifestsHaveNotReportedDiff @4',
    ]);
    assert.deepEqual(conditionsOfFirst([degraded], reporting), ['DiffReported=True FoundDiffInDegradedMode @1']);
    assert.deepEqual(conditionsOfFirst([outcome('DecodingErred')], reporting), [
      'DiffReported=False FailedToReportDiff',
    ]);
  });

  test('is Applied and Available without manifests', () => {
    assert.deepEqual(conditionsOfWork([]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
  });

  test('is not written if the hub has it', () => {
    const work = aWork(report(aWork(), [applied, failed], now).status);
    const later = new Date('2026-03-01T00:00:00Z');
    assert.equal(report(work, [applied, failed], later).shouldWrite, false);
    assert.equal(report(work, [applied, applied], later).shouldWrite, true);
  });

  test('is not written again for manifests with equal or no identity', () => {
    const nameless = (ordinal: number) => ({ ...outcome('DecodingErred'), identifier: { ordinal } });
    const twice: Outcome = { ...outcome('Duplicated'), identifier: { ...identifier, ordinal: 3 } };
    const outcomes = [applied, nameless(1), nameless(2), twice];
    const work = aWork(report(aWork(), outcomes, now).status);
    assert.equal(report(work, outcomes, new Date('2026-03-01T00:00:00Z')).shouldWrite, false);
  });
});

describe('a mirrored status', () => {
  const withStatus: Outcome = { ...applied, live: aLive(1, { status: { phase: 'Bound' } }) };

  test('has apiVersion and kind of its object', () => {
    const { status, shouldWrite } = report(mirroring(aWork()), [withStatus], now);
    assert.deepEqual(status.manifestConditions?.[0]?.backReportedStatus, {
      observedStatus: { apiVersion: 'v1', kind: 'ConfigMap', status: { phase: 'Bound' } },
      observationTime: nowText,
    });
    assert.ok(shouldWrite);
  });

  test('stays if there is none to report now', () => {
    const before = report(mirroring(aWork()), [withStatus], now).status;
    const later = new Date('2026-03-01T00:00:00Z');
    const { status } = report(mirroring(aWork(before)), [outcome('ManifestApplyFailed')], later);
    assert.equal(status.manifestConditions?.[0]?.backReportedStatus?.observationTime, nowText);
  });
});

describe('a status that is too large', () => {
  const value = 'x'.repeat(100_000);
  const drifts = Array.from({ length: 20 }, (_, index) => ({ path: `/data/${index}`, valueInMember: value }));
  const large: Outcome = { ...applied, drifts, live: aLive(1, { status: { text: value } }) };

  test('keeps the first path that differs and drops values', () => {
    const { status } = report(mirroring(aWork()), [large, { ...large, drifts: drifts.slice(0, 1) }], now);
    assert.deepEqual(summariesOf(status.conditions), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
      'StatusTrimmed=True Oversized @4',
    ]);
    const omitted = { valueInMember: '(omitted)', valueInHub: '(omitted)' };
    assert.deepEqual(
      status.manifestConditions?.map(({ driftDetails }) => driftDetails?.observedDrifts),
      [[{ path: '/data/0 and 19 more path(s)', ...omitted }], [{ path: '/data/0', ...omitted }]],
    );
    assert.equal(status.manifestConditions?.[0]?.backReportedStatus, undefined);
  });

  test('loses StatusTrimmed when it fits again', () => {
    const before = report(mirroring(aWork()), [large], now).status;
    assert.deepEqual(conditionsOfWork([applied], aWork(before)), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
  });

  test('keeps the transition time of StatusTrimmed', () => {
    const before = report(mirroring(aWork()), [large], now).status;
    const { status } = report(mirroring(aWork(before)), [large], new Date('2026-03-01T00:00:00Z'));
    assert.equal(status.conditions[2]?.lastTransitionTime, nowText);
  });
});
