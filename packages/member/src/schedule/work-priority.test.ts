import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { highestPriority, priorityOfChange, type RankedWork } from './work-priority.ts';

const now = new Date('2026-01-01T12:00:00Z');

describe('the priority of a change to a Work', () => {
  test('falls by three a minute from 100 for a healthy Work, counted in whole minutes', () => {
    const ages = [0, 59, 60, 600, 33 * 60, 34 * 60, 86_400];
    const priorities = ages.map((seconds) => priorityOfChange(aWork({ ageSeconds: seconds }), now));
    assert.deepEqual(priorities, [100, 100, 97, 70, 1, 0, 0]);
  });

  test('stays between 0 and 100 whatever the coefficients are', () => {
    const work = aWork({ ageSeconds: 600 });
    assert.equal(priorityOfChange(work, now, { perMinute: -1, whenNew: 1000 }), 100);
    assert.equal(priorityOfChange(work, now, { perMinute: -100, whenNew: 1 }), 0);
    assert.equal(priorityOfChange(work, now, { perMinute: -2, whenNew: 60 }), 40);
  });

  test('is the highest for an unhealthy Work of any age', () => {
    const unwell: RankedWork[] = [
      aWork({ conditions: [] }),
      aWork({ conditions: ['Applied'] }),
      aWork({ conditions: ['Available'] }),
      aWork({ conditions: ['Applied', 'Available'], status: 'False' }),
      aWork({ conditions: ['Applied', 'Available'], observedGeneration: 6 }),
      { metadata: { generation: 1, creationTimestamp: '2020-01-01T00:00:00Z' } },
    ];
    assert.deepEqual(
      unwell.map((work) => priorityOfChange(work, now)),
      unwell.map(() => highestPriority),
    );
  });

  test('depends on DiffReported alone with ReportDiff', () => {
    const reported = aWork({ type: 'ReportDiff', conditions: ['DiffReported'], ageSeconds: 600 });
    const applied = aWork({ type: 'ReportDiff', conditions: ['Applied', 'Available'], ageSeconds: 600 });
    assert.equal(priorityOfChange(reported, now), 70);
    assert.equal(priorityOfChange(applied, now), highestPriority);
  });
});

interface Choices {
  readonly ageSeconds?: number;
  readonly type?: string;
  readonly conditions?: readonly string[];
  readonly status?: string;
  readonly observedGeneration?: number;
}

function aWork({
  ageSeconds = 86_400,
  type = 'ClientSideApply',
  conditions = ['Applied', 'Available'],
  status = 'True',
  observedGeneration = 7,
}: Choices): RankedWork {
  return {
    metadata: { generation: 7, creationTimestamp: new Date(now.getTime() - ageSeconds * 1000).toISOString() },
    spec: { applyStrategy: { type } },
    status: { conditions: conditions.map((each) => ({ type: each, status, observedGeneration })) },
  };
}
