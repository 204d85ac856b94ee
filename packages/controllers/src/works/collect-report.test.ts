import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  clusterFamily,
  type ApplyStrategy,
  type ManifestCondition,
  type PatchDetail,
  type WorkStatus,
} from '@flotilla/api';
import { collectReport, type Report } from './collect-report.ts';
import { aBinding, aCondition, aManifest, aStrategy, aWork, reporting, earlier } from './works.testing.ts';

function collect(statuses: (WorkStatus | undefined)[], type: ApplyStrategy['type'] = 'ClientSideApply'): Report {
  const works = statuses.map((status, index) => aWork(clusterFamily, { name: `w${index}` }, status));
  return collectReport(aBinding(clusterFamily, { applyStrategy: aStrategy(type) }), works);
}

function textsOf({ conditions }: Report): string[] {
  return conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
}

function listsOf({ outcomes: { failedPlacements, diffedPlacements, driftedPlacements } }: Report): string {
  return [failedPlacements && 'failed', diffedPlacements && 'diffed', driftedPlacements && 'drifted']
    .filter((list) => list !== undefined)
    .join(' ');
}

const detail: PatchDetail = { path: '/data/a', valueInMember: '1', valueInHub: '2' };
const driftDetails = {
  observationTime: earlier,
  observedInMemberClusterGeneration: 7,
  firstDriftedObservedTime: earlier,
  observedDrifts: [detail],
};
const diffDetails = { observationTime: earlier, firstDiffedObservedTime: earlier, observedDiffs: [detail] };

/** A manifest for every list. */
const everything: ManifestCondition[] = [
  aManifest('a', [aCondition('Applied', 'False', { reason: 'ManifestApplyFailed' })]),
  aManifest('b', [aCondition('Applied', 'True')], { driftDetails }),
  aManifest('c', [aCondition('Applied', 'True')], { diffDetails }),
];

const applied = 'Applied=True AllWorkHaveBeenApplied: All corresponding work objects are applied';
const done = reporting(['Applied=True', 'Available=True', 'DiffReported=True']);

describe('the report of the Works of a binding', () => {
  const rows: [what: string, statuses: (WorkStatus | undefined)[], conditions: string[], lists: string][] = [
    [
      'no Work reports',
      [undefined, reporting(['Applied=True'], everything, 0), reporting(['Applied=Unknown'])],
      ['Applied=False ApplyInProgress: Resources are being applied'],
      '',
    ],
    [
      'some Works report',
      [done, reporting(['Applied=False'], everything), undefined],
      ['Applied=False NotAllWorkHaveBeenApplied: Work object w2 has not yet completed the apply op'],
      '',
    ],
    [
      'a Work failed',
      [done, reporting(['Applied=False'], everything), reporting(['Applied=False'])],
      ['Applied=False NotAllWorkHaveBeenApplied: Work object w1 has failed to apply'],
      'failed diffed drifted',
    ],
    [
      'availability is not checked yet',
      [done, reporting(['Applied=True'], everything)],
      [applied, 'Available=False NotAllWorkAreAvailable: Work object w1 has not yet completed availability check'],
      'drifted',
    ],
    [
      'a Work is not available',
      [done, reporting(['Applied=True', 'Available=False'], everything)],
      [applied, 'Available=False NotAllWorkAreAvailable: Work object w1 is not yet available'],
      'failed drifted',
    ],
    [
      'the availability of a Work cannot be tracked',
      [done, reporting(['Applied=True', 'Available=True WorkNotTrackable'], everything)],
      [
        applied,
        'Available=True NotAllWorkAreAvailabilityTrackable: The availability of work object w1 is not trackable',
      ],
      'drifted',
    ],
    [
      'a later agent of KubeFleet says that the availability cannot be tracked',
      [reporting(['Applied=True', 'Available=True SomeManifestsAreNotAvailabilityTrackable'])],
      [
        applied,
        'Available=True NotAllWorkAreAvailabilityTrackable: The availability of work object w0 is not trackable',
      ],
      '',
    ],
    [
      'all Works are available',
      [done, reporting(['Applied=True', 'Available=True'], everything)],
      [applied, 'Available=True AllWorkAreAvailable: All corresponding work objects are available'],
      'drifted',
    ],
  ];
  for (const [what, statuses, conditions, lists] of rows) {
    test(what, () => {
      const report = collect(statuses);
      assert.deepEqual(textsOf(report), conditions);
      assert.equal(listsOf(report), lists);
      assert.ok(report.conditions.every(({ observedGeneration }) => observedGeneration === 3));
    });
  }

  const diffRows: [what: string, statuses: (WorkStatus | undefined)[], condition: string, lists: string][] = [
    [
      'no Work reports differences',
      [undefined],
      'DiffReported=False DiffReportInProgress: Diff reporting on resources is in progress',
      '',
    ],
    [
      'some Works report differences',
      [done, undefined],
      'DiffReported=False NotAllWorkHaveDiffReported: Work object w1 has not yet completed diff reporting',
      '',
    ],
    [
      'a Work fails to report differences',
      [done, reporting(['DiffReported=False'], everything)],
      'DiffReported=False NotAllWorkHaveDiffReported: Work object w1 has failed to report diff',
      '',
    ],
    [
      'all Works report differences',
      [done, reporting(['DiffReported=True'], everything)],
      'DiffReported=True AllWorkHaveDiffReported: All corresponding work objects have reported diff',
      'diffed',
    ],
  ];
  for (const [what, statuses, condition, lists] of diffRows) {
    test(`with ReportDiff: ${what}`, () => {
      const report = collect(statuses, 'ReportDiff');
      assert.deepEqual(textsOf(report), [condition]);
      assert.equal(listsOf(report), lists);
    });
  }
});

test('a cluster that is to be removed is not being applied', () => {
  const texts = (type: ApplyStrategy['type']): string[] => {
    const binding = aBinding(clusterFamily, { state: 'Unscheduled', applyStrategy: aStrategy(type) });
    return textsOf(collectReport(binding, [aWork(clusterFamily)]));
  };
  assert.deepEqual(texts('ClientSideApply'), [
    'Applied=False NotAllWorkHaveBeenApplied: Work object web-work has not yet completed the apply op',
  ]);
  assert.deepEqual(texts('ReportDiff'), [
    'DiffReported=False NotAllWorkHaveDiffReported: Work object web-work has not yet completed diff reporting',
  ]);
});

describe('the lists of a binding', () => {
  const resource = { version: 'v1', kind: 'ConfigMap', namespace: 'shop' };

  test('have what the agent says of each resource', () => {
    const { outcomes } = collect([reporting(['Applied=False'], everything)]);
    assert.deepEqual(outcomes, {
      failedPlacements: [
        { ...resource, name: 'a', condition: aCondition('Applied', 'False', { reason: 'ManifestApplyFailed' }) },
      ],
      driftedPlacements: [
        {
          ...resource,
          name: 'b',
          observationTime: earlier,
          targetClusterObservedGeneration: 7,
          firstDriftedObservedTime: earlier,
          observedDrifts: [detail],
        },
      ],
      diffedPlacements: [
        { ...resource, name: 'c', observationTime: earlier, firstDiffedObservedTime: earlier, observedDiffs: [detail] },
      ],
    });
  });

  test('name a failed availability, and nothing of Works that are well', () => {
    const notYet = aCondition('Available', 'False', { reason: 'ManifestNotAvailableYet' });
    const manifests = [aManifest('a', [aCondition('Applied', 'True'), notYet])];
    const stale = aManifest('stale', [aCondition('Applied', 'False')]);
    const report = collect([
      reporting(['Applied=True', 'Available=True'], [stale]),
      reporting(['Applied=True', 'Available=False'], manifests),
    ]);
    assert.deepEqual(report.outcomes.failedPlacements, [{ ...resource, name: 'a', condition: notYet }]);
  });

  test('name the envelope of a resource', () => {
    const work = aWork(clusterFamily, {}, reporting(['Applied=False'], everything));
    work.metadata.labels = {
      ...work.metadata.labels,
      'kubernetes-fleet.io/envelope-work': 'ResourceEnvelope',
      'kubernetes-fleet.io/envelope-name': 'e',
      'kubernetes-fleet.io/envelope-namespace': 'shop',
    };
    const { failedPlacements, driftedPlacements, diffedPlacements } = collectReport(aBinding(clusterFamily), [
      work,
    ]).outcomes;
    for (const list of [failedPlacements, driftedPlacements, diffedPlacements]) {
      assert.deepEqual(list?.[0]?.envelope, { name: 'e', namespace: 'shop', type: 'ResourceEnvelope' });
    }
  });

  test('are sorted and have at most 100 entries', () => {
    const manifests = Array.from({ length: 150 }, (_, index) =>
      aManifest(`n${String(150 - index).padStart(3, '0')}`, [aCondition('Applied', 'False')], {
        driftDetails,
        diffDetails,
      }),
    );
    const { outcomes } = collect([reporting(['Applied=False'], manifests)]);
    for (const list of Object.values(outcomes)) {
      assert.equal(list.length, 100);
      assert.deepEqual([list[0]?.name, list[99]?.name], ['n001', 'n100']);
    }
  });

  test('stay below a megabyte, whatever a member writes', () => {
    const long = 'ü\u0000'.repeat(200_000);
    const details = Array.from({ length: 1000 }, () => ({ path: long, valueInMember: long, valueInHub: long }));
    const manifests = Array.from({ length: 200 }, () =>
      aManifest(long, [aCondition('Applied', 'False', { message: long })], {
        driftDetails: { ...driftDetails, observedDrifts: details },
        diffDetails: { ...diffDetails, observedDiffs: details },
      }),
    );
    const { outcomes } = collect([reporting(['Applied=False'], manifests)]);
    assert.equal(outcomes.driftedPlacements?.length, 100);
    assert.ok(JSON.stringify(outcomes).length < 1024 * 1024);
  });
});
