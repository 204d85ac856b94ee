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

/** `apply`, `compare`, `take-over: a, b`, or the reason of the end. */
function inWords(given: Case): string {
  const action = decided(given);
  if (action.do === 'finish') return action.end.result;
  return action.do === 'take-over' ? `take-over: ${action.owners.map(({ uid }) => uid).join(', ')}` : action.do;
}

function problemIn(given: Case): string {
  const action = decided(given);
  assert.ok(action.do === 'finish');
  return action.end.problem ?? '';
}

for (const type of ['ClientSideApply', 'ServerSideApply'] as const) {
  describe(`decide, with ${type}`, () => {
    test('applies what is not there', () => {
      assert.equal(inWords({ strategy: { type } }), 'apply');
    });

    test('applies what is ours', () => {
      assert.equal(inWords({ strategy: { type }, live: live([owner]) }), 'apply');
    });

    test('takes over what nobody owns', () => {
      assert.equal(inWords({ strategy: { type }, live: live([]) }), 'take-over: ours');
    });

    test('does not take over what somebody owns, unless that may be shared', () => {
      const strategy = { type, allowCoOwnership: true };
      assert.equal(inWords({ strategy: { type }, live: live([stranger]) }), 'FailedToTakeOver');
      assert.equal(inWords({ strategy, live: live([stranger]) }), 'take-over: stranger, ours');
    });

    test('never shares with another Work, and says which placements are in conflict', () => {
      for (const allowCoOwnership of [false, true]) {
        const given = { strategy: { type, allowCoOwnership }, live: live([otherWork]) };
        assert.equal(inWords(given), 'FailedToTakeOver');
        assert.match(problemIn(given), /^ApplyConflictBetweenPlacements: /);
      }
    });

    test('drops an owner whose Work is gone', () => {
      assert.equal(inWords({ strategy: { type }, live: live([otherWork]), works: ['web'] }), 'take-over: ours');
    });

    test('takes over with whenToTakeOver IfNoDiff only what is equal', () => {
      const strategy = { type, whenToTakeOver: 'IfNoDiff' } as const;
      assert.equal(inWords({ strategy, live: live([]) }), 'compare');
      assert.equal(inWords({ strategy, live: live([]), comparison: same }), 'take-over: ours');
      assert.equal(inWords({ strategy, live: live([]), comparison: failed }), 'FailedToTakeOver');
      const action = decided({ strategy, live: live([]), comparison: different });
      assert.ok(action.do === 'finish');
      assert.deepEqual(action.end.diffs, [{ path: '/data/a', valueInHub: '1' }]);
      assert.equal(action.end.result, 'FailedToTakeOver');
    });

    test('tells when the comparison for a take-over was degraded', () => {
      const strategy = { type, whenToTakeOver: 'IfNoDiff' } as const;
      assert.match(problemIn({ strategy, live: live([]), comparison: degraded }), /calls the manifest invalid/);
    });

    test('leaves alone with whenToTakeOver Never what is not ours, and creates what is not there', () => {
      const strategy = { type, whenToTakeOver: 'Never' } as const;
      assert.equal(inWords({ strategy, live: live([]) }), 'NotTakenOver');
      assert.equal(inWords({ strategy, live: live([owner]) }), 'apply');
      assert.equal(inWords({ strategy }), 'apply');
    });

    describe('and whenToApply IfNotDrifted', () => {
      const strategy = { type, whenToApply: 'IfNotDrifted' } as const;
      const applied = live([owner], { 'kubernetes-fleet.io/spec-hash': manifestHash(manifest) });

      test('looks for drifts where the same manifest was applied before', () => {
        assert.equal(inWords({ strategy, live: applied }), 'compare');
        assert.equal(inWords({ strategy, live: applied, comparison: same }), 'apply');
        assert.equal(inWords({ strategy, live: applied, comparison: different }), 'FoundDrifts');
        assert.equal(inWords({ strategy, live: applied, comparison: degraded }), 'FoundDriftsInDegradedMode');
        assert.equal(inWords({ strategy, live: applied, comparison: failed }), 'FailedToRunDriftDetection');
      });

      test('overwrites drifts with a new manifest', () => {
        const older = live([owner], { 'kubernetes-fleet.io/spec-hash': 'older' });
        assert.equal(inWords({ strategy, live: older }), 'apply');
      });

      test('applies what is not there', () => {
        assert.equal(inWords({ strategy }), 'apply');
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
      end: { result: 'FoundDiff', diffs: [{ path: '/', valueInHub: '(the whole object)' }] },
    });
  });

  test('takes over first, as KubeFleet does', () => {
    assert.equal(inWords({ strategy, live: live([]) }), 'take-over: ours');
    assert.equal(inWords({ strategy, live: live([stranger]) }), 'FailedToTakeOver');
  });

  test('touches nothing with whenToTakeOver Never', () => {
    const never = { ...strategy, whenToTakeOver: 'Never' } as const;
    assert.equal(inWords({ strategy: never, live: live([]) }), 'compare');
    assert.equal(inWords({ strategy: never, live: live([stranger]), comparison: same }), 'NoDiffFound');
  });

  test('reports what it finds and never applies', () => {
    assert.equal(inWords({ strategy, live: live([owner]) }), 'compare');
    assert.equal(inWords({ strategy, live: live([owner]), comparison: same }), 'NoDiffFound');
    assert.equal(inWords({ strategy, live: live([owner]), comparison: different }), 'FoundDiff');
    assert.equal(inWords({ strategy, live: live([owner]), comparison: degraded }), 'FoundDiffInDegradedMode');
    assert.equal(inWords({ strategy, live: live([owner]), comparison: failed }), 'FailedToReportDiff');
  });
});

describe('decideAfterApply', () => {
  test('tells of what a full comparison still finds, though all is applied', () => {
    assert.deepEqual(decideAfterApply(undefined), { result: 'Applied' });
    assert.deepEqual(decideAfterApply(same), { result: 'Applied' });
    assert.equal(decideAfterApply(different).result, 'Applied');
    assert.equal(decideAfterApply(different).drifts?.length, 1);
    assert.equal(decideAfterApply(failed).result, 'AppliedWithFailedDriftDetection');
  });
});
