import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApplyStrategy, ManifestCondition, Work, WorkStatus } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Outcome, Result } from '../manifest/outcome.ts';
import { inWords } from '../applier.testing.ts';
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

/** What is said of the first manifest. */
function said(outcomes: readonly Outcome[], work = aWork()): string[] {
  return inWords(report(work, outcomes, now).status.manifestConditions?.[0]?.conditions);
}

function ofWork(outcomes: readonly Outcome[], work = aWork()): string[] {
  return inWords(report(work, outcomes, now).status.conditions);
}

describe('the report of a manifest', () => {
  test('speaks of the generation of the object on the member', () => {
    assert.deepEqual(said([applied]), ['Applied=True Applied @7', 'Available=True Available @7']);
  });

  test('leaves the generation out where the object has none', () => {
    const without = outcome('Applied', { live: aLive(0), availability: { result: 'NotTrackable' } });
    assert.deepEqual(said([without]), ['Applied=True Applied', 'Available=True NotTrackable']);
  });

  test('counts what is applied though its drifts are unknown', () => {
    const result = outcome('AppliedWithFailedDriftDetection', {
      ...applied,
      result: 'AppliedWithFailedDriftDetection',
    });
    assert.deepEqual(said([result]), [
      'Applied=True AppliedWithFailedDriftDetection @7',
      'Available=True Available @7',
    ]);
    assert.deepEqual(ofWork([result]), [
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
    test(`says ${result} with its sentence, and nothing about availability`, () => {
      const { status } = report(aWork(), [outcome(result, { problem: 'because' })], now);
      assert.deepEqual(inWords(status.manifestConditions?.[0]?.conditions), [`Applied=False ${result}`]);
      assert.equal(status.manifestConditions?.[0]?.conditions[0]?.message, 'because');
    });
  }

  test('tells what availability there is', () => {
    const notYet = { ...applied, availability: { result: 'ManifestNotAvailableYet' } } as const;
    const failed = { ...applied, availability: { result: 'Failed', problem: 'odd' } } as const;
    assert.deepEqual(said([notYet]), ['Applied=True Applied @7', 'Available=False ManifestNotAvailableYet @7']);
    assert.deepEqual(said([failed]), ['Applied=True Applied @7', 'Available=False Failed @7']);
  });

  test('moves a time only when a status changes', () => {
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

  test('cuts a message that no server would take', () => {
    const { status } = report(aWork(), [outcome('ManifestApplyFailed', { problem: 'x'.repeat(100_000) })], now);
    assert.ok((status.manifestConditions?.[0]?.conditions[0]?.message.length ?? 0) < 32_768);
  });

  test('keeps conditions that others wrote', () => {
    const theirs = { type: 'Theirs', status: 'True', lastTransitionTime: then, reason: 'A', message: '' } as const;
    const manifestConditions = [{ identifier, conditions: [theirs] }];
    assert.deepEqual(said([applied], aWork({ conditions: [theirs], manifestConditions })), [
      'Theirs=True A',
      'Applied=True Applied @7',
      'Available=True Available @7',
    ]);
  });

  test('is in the order of the manifests', () => {
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

  test('begin now', () => {
    const { status } = report(aWork(), [drifted], now);
    assert.deepEqual(status.manifestConditions?.[0]?.driftDetails, {
      observationTime: nowText,
      observedInMemberClusterGeneration: 3,
      firstDriftedObservedTime: nowText,
      observedDrifts: drifts,
    });
  });

  test('keep the time at which they began', () => {
    const { status } = report(aWork({ conditions: [], manifestConditions: [detailed(then)] }), [drifted], now);
    const details = status.manifestConditions?.[0]?.driftDetails;
    assert.deepEqual([details?.firstDriftedObservedTime, details?.observationTime], [then, nowText]);
  });

  test('end with the drift', () => {
    const { status } = report(aWork({ conditions: [], manifestConditions: [detailed(then)] }), [applied], now);
    assert.equal(status.manifestConditions?.[0]?.driftDetails, undefined);
  });

  test('are news each time, because of their time', () => {
    const work = aWork(report(aWork(), [drifted], now).status);
    assert.equal(report(work, [drifted], now).isNews, true);
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

  test('have one where it has, even if that is 0', () => {
    const found = outcome('FoundDiff', { diffs, live: aLive(0) });
    const { status } = report(aWork(undefined, { type: 'ReportDiff' }), [found], now);
    assert.equal(status.manifestConditions?.[0]?.diffDetails?.observedInMemberClusterGeneration, 0);
  });
});

describe('the report of a Work', () => {
  const failed = outcome('ManifestApplyFailed');
  const notYet: Outcome = { ...applied, availability: { result: 'ManifestNotAvailableYet' } };
  const untracked: Outcome = { ...applied, availability: { result: 'NotTrackable' } };

  test('takes all manifests together', () => {
    assert.deepEqual(ofWork([applied, applied]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
    assert.deepEqual(ofWork([applied, notYet]), [
      'Applied=True AllManifestsApplied @4',
      'Available=False SomeManifestsAreNotAvailable @4',
    ]);
    assert.deepEqual(ofWork([applied, untracked]), [
      'Applied=True AllManifestsApplied @4',
      'Available=True WorkNotTrackable @4',
    ]);
  });

  test('says nothing about availability before all is applied, and takes back what was said', () => {
    const before = report(aWork(), [applied], now).status;
    assert.deepEqual(ofWork([applied, failed], aWork(before)), ['Applied=False SomeManifestsAreNotApplied @4']);
  });

  test('with ReportDiff speaks of differences only', () => {
    const reporting = aWork(report(aWork(), [applied], now).status, { type: 'ReportDiff' });
    const none = outcome('NoDiffFound', { live: aLive(1) });
    const degraded = outcome('FoundDiffInDegradedMode', { live: aLive(1) });
    assert.deepEqual(ofWork([none], reporting), ['DiffReported=True AllManifestsDiffReported @4']);
    assert.deepEqual(ofWork([none, failed], reporting), ['DiffReported=False SomeManifestsHaveNotReportedDiff @4']);
    assert.deepEqual(ofWork([degraded], reporting), ['DiffReported=False SomeManifestsHaveNotReportedDiff @4']);
    assert.deepEqual(said([degraded], reporting), ['DiffReported=True FoundDiffInDegradedMode @1']);
    assert.deepEqual(said([outcome('DecodingErred')], reporting), ['DiffReported=False FailedToReportDiff']);
  });

  test('is satisfied by nothing at all', () => {
    assert.deepEqual(ofWork([]), ['Applied=True AllManifestsApplied @4', 'Available=True AllManifestsAvailable @4']);
  });

  test('is no news when the hub knows it', () => {
    const work = aWork(report(aWork(), [applied, failed], now).status);
    const later = new Date('2026-03-01T00:00:00Z');
    assert.equal(report(work, [applied, failed], later).isNews, false);
    assert.equal(report(work, [applied, applied], later).isNews, true);
  });

  test('is no news for manifests that cannot be told apart either', () => {
    const nameless = (ordinal: number) => ({ ...outcome('DecodingErred'), identifier: { ordinal } });
    const twice: Outcome = { ...outcome('Duplicated'), identifier: { ...identifier, ordinal: 3 } };
    const outcomes = [applied, nameless(1), nameless(2), twice];
    const work = aWork(report(aWork(), outcomes, now).status);
    assert.equal(report(work, outcomes, new Date('2026-03-01T00:00:00Z')).isNews, false);
  });
});

describe('a status that comes back', () => {
  const withStatus: Outcome = { ...applied, live: aLive(1, { status: { phase: 'Bound' } }) };

  test('carries what it is a status of', () => {
    const { status, isNews } = report(mirroring(aWork()), [withStatus], now);
    assert.deepEqual(status.manifestConditions?.[0]?.backReportedStatus, {
      observedStatus: { apiVersion: 'v1', kind: 'ConfigMap', status: { phase: 'Bound' } },
      observationTime: nowText,
    });
    assert.ok(isNews);
  });

  test('stays as it was where there is none to report now', () => {
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

  test('keeps where things differ and drops what they are', () => {
    const { status } = report(mirroring(aWork()), [large, { ...large, drifts: drifts.slice(0, 1) }], now);
    assert.deepEqual(inWords(status.conditions), [
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

  test('says so no longer when it fits again', () => {
    const before = report(mirroring(aWork()), [large], now).status;
    assert.deepEqual(ofWork([applied], aWork(before)), [
      'Applied=True AllManifestsApplied @4',
      'Available=True AllManifestsAvailable @4',
    ]);
  });

  test('keeps saying since when', () => {
    const before = report(mirroring(aWork()), [large], now).status;
    const { status } = report(mirroring(aWork(before)), [large], new Date('2026-03-01T00:00:00Z'));
    assert.equal(status.conditions[2]?.lastTransitionTime, nowText);
  });
});
