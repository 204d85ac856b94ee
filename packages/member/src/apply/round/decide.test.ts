import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApplyStrategy } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { manifestHash } from '../../compare/manifest-hash.ts';
import { decide, decideAfterApply, type Comparison } from './decide.ts';
import { strategyOf } from '../manifest/strategy.ts';

const owner: OwnerReference = {
  apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
  kind: 'AppliedWork',
  name: 'web',
  uid: 'ours',
  blockOwnerDeletion: true,
};
const otherWork = { ...owner, name: 'other', uid: 'theirs' };
const stranger = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: 'stranger' };

const manifest: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'apps' } };

function live(ownerReferences: OwnerReference[], annotations: Record<string, string> = {}): KubeObject {
  return { ...manifest, metadata: { ...manifest.metadata, uid: '1', ownerReferences, annotations } };
}

const same: Comparison = { differences: [], isDegraded: false };
const different: Comparison = { differences: [{ path: '/data/a', valueInHub: '1' }], isDegraded: false };
const degraded: Comparison = { ...different, isDegraded: true };
const failed: Comparison = { problem: 'the member is asleep' };

interface Case {
  readonly strategy?: Partial<ApplyStrategy>;
  readonly live?: KubeObject;
  readonly comparison?: Comparison;
  readonly works?: readonly string[];
}

function decided({ strategy = {}, live: seen, comparison, works = ['web', 'other'] }: Case) {
  const terms = {
    strategy: strategyOf({ spec: { applyStrategy: strategy as ApplyStrategy } }),
    owner,
    hasWork: (name: string) => works.includes(name),
  };
  return decide(manifest, seen, comparison, terms);
}

/** `apply`, `compare`, `take-over: a, b`, or the result that it finishes with. */
function actionText(given: Case): string {
  const action = decided(given);
  if (action.do === 'finish') return action.outcome.result;
  return action.do === 'take-over' ? `take-over: ${action.owners.map(({ uid }) => uid).join(', ')}` : action.do;
}

function problemIn(given: Case): string {
  const action = decided(given);
  assert.ok(action.do === 'finish');
  return action.outcome.problem ?? '';
}

for (const type of ['ClientSideApply', 'ServerSideApply'] as const) {
  describe(`decide, with ${type}`, () => {
    test('creates a missing object', () => {
      assert.equal(actionText({ strategy: { type } }), 'apply');
    });

    test('applies an object that the Work owns', () => {
      assert.equal(actionText({ strategy: { type }, live: live([owner]) }), 'apply');
    });

    test('takes over an object without owners', () => {
      assert.equal(actionText({ strategy: { type }, live: live([]) }), 'take-over: ours');
    });

    test('does not take over an object with an owner, unless co-ownership is allowed', () => {
      const strategy = { type, allowCoOwnership: true };
      assert.equal(actionText({ strategy: { type }, live: live([stranger]) }), 'FailedToTakeOver');
      assert.equal(actionText({ strategy, live: live([stranger]) }), 'take-over: stranger, ours');
    });

    test('never shares an object with another Work, and names that Work', () => {
      for (const allowCoOwnership of [false, true]) {
        const given = { strategy: { type, allowCoOwnership }, live: live([otherWork]) };
        assert.equal(actionText(given), 'FailedToTakeOver');
        assert.match(problemIn(given), /^ApplyConflictBetweenPlacements: /);
      }
    });

    test('removes an owner whose Work does not exist', () => {
      assert.equal(actionText({ strategy: { type }, live: live([otherWork]), works: ['web'] }), 'take-over: ours');
    });

    test('takes over an object without differences only, with whenToTakeOver IfNoDiff', () => {
      const strategy = { type, whenToTakeOver: 'IfNoDiff' } as const;
      assert.equal(actionText({ strategy, live: live([]) }), 'compare');
      assert.equal(actionText({ strategy, live: live([]), comparison: same }), 'take-over: ours');
      assert.equal(actionText({ strategy, live: live([]), comparison: failed }), 'FailedToTakeOver');
      const action = decided({ strategy, live: live([]), comparison: different });
      assert.ok(action.do === 'finish');
      assert.deepEqual(action.outcome.diffs, [{ path: '/data/a', valueInHub: '1' }]);
      assert.equal(action.outcome.result, 'FailedToTakeOver');
    });

    test('mentions a degraded comparison in the message of a refused take-over', () => {
      const strategy = { type, whenToTakeOver: 'IfNoDiff' } as const;
      assert.match(problemIn({ strategy, live: live([]), comparison: degraded }), /rejects the manifest as invalid/);
    });

    test('with whenToTakeOver Never keeps existing objects as they are, and creates missing ones', () => {
      const strategy = { type, whenToTakeOver: 'Never' } as const;
      assert.equal(actionText({ strategy, live: live([]) }), 'NotTakenOver');
      assert.equal(actionText({ strategy, live: live([owner]) }), 'apply');
      assert.equal(actionText({ strategy }), 'apply');
    });

    describe('and whenToApply IfNotDrifted', () => {
      const strategy = { type, whenToApply: 'IfNotDrifted' } as const;
      const applied = live([owner], { 'kubernetes-fleet.io/spec-hash': manifestHash(manifest) });

      test('detects drifts if the same manifest was applied before', () => {
        assert.equal(actionText({ strategy, live: applied }), 'compare');
        assert.equal(actionText({ strategy, live: applied, comparison: same }), 'apply');
        assert.equal(actionText({ strategy, live: applied, comparison: different }), 'FoundDrifts');
        assert.equal(actionText({ strategy, live: applied, comparison: degraded }), 'FoundDriftsInDegradedMode');
        assert.equal(actionText({ strategy, live: applied, comparison: failed }), 'FailedToRunDriftDetection');
      });

      test('overwrites drifts with a new manifest', () => {
        const older = live([owner], { 'kubernetes-fleet.io/spec-hash': 'older' });
        assert.equal(actionText({ strategy, live: older }), 'apply');
      });

      test('creates a missing object', () => {
        assert.equal(actionText({ strategy }), 'apply');
      });
    });
  });
}

describe('decide, with ReportDiff', () => {
  const strategy = { type: 'ReportDiff' } as const;

  test('reports a missing object as a whole', () => {
    const action = decided({ strategy });
    assert.deepEqual(action, {
      do: 'finish',
      outcome: { result: 'FoundDiff', diffs: [{ path: '/', valueInHub: '(the whole object)' }] },
    });
  });

  test('takes over first, as KubeFleet does', () => {
    assert.equal(actionText({ strategy, live: live([]) }), 'take-over: ours');
    assert.equal(actionText({ strategy, live: live([stranger]) }), 'FailedToTakeOver');
  });

  test('writes nothing with whenToTakeOver Never', () => {
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    assert.equal(actionText({ strategy: never, live: live([]) }), 'compare');
    assert.equal(actionText({ strategy: never, live: live([stranger]), comparison: same }), 'NoDiffFound');
  });

  test('reports differences and never applies', () => {
    assert.equal(actionText({ strategy, live: live([owner]) }), 'compare');
    assert.equal(actionText({ strategy, live: live([owner]), comparison: same }), 'NoDiffFound');
    assert.equal(actionText({ strategy, live: live([owner]), comparison: different }), 'FoundDiff');
    assert.equal(actionText({ strategy, live: live([owner]), comparison: degraded }), 'FoundDiffInDegradedMode');
    assert.equal(actionText({ strategy, live: live([owner]), comparison: failed }), 'FailedToReportDiff');
  });
});

describe('decideAfterApply', () => {
  test('reports drifts that a full comparison still finds', () => {
    assert.deepEqual(decideAfterApply(undefined), { result: 'Applied' });
    assert.deepEqual(decideAfterApply(same), { result: 'Applied' });
    assert.equal(decideAfterApply(different).result, 'Applied');
    assert.equal(decideAfterApply(different).drifts?.length, 1);
    assert.equal(decideAfterApply(failed).result, 'AppliedWithFailedDriftDetection');
  });
});
