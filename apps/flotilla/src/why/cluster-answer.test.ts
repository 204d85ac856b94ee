import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Evidence, Verdict } from '@flotilla/scheduler';
import { answerOn } from './cluster-answer.ts';

const pickN = { placementType: 'PickN' } as const;
const nothing = { binding: undefined, decision: undefined };

function rejected(evidence: Evidence, more: Partial<Verdict> = {}): Verdict {
  return { cluster: 'c1', outcome: 'Rejected', rejection: { plugin: 'P', reasons: ['no'], evidence }, ...more };
}

/** The reason and the change, as one text. */
function answerText(verdict: Verdict): string {
  const { chosen, decidedBy, reason, change } = answerOn(verdict, pickN, nothing);
  return `${chosen} ${decidedBy}: ${reason} → ${change}`;
}

describe('a rejected cluster', () => {
  const cases: readonly (readonly [Verdict, string])[] = [
    [
      rejected({ kind: 'taint', taint: { key: 'gpu', value: 'a', effect: 'NoSchedule' } }),
      'no P: taint gpu=a:NoSchedule is not tolerated → ' +
        'add a toleration for gpu=a:NoSchedule to spec.policy, or remove the taint from MemberCluster c1',
    ],
    [
      rejected({
        kind: 'affinity',
        terms: [
          {
            term: 0,
            unmet: [
              { about: 'label', requirement: 'region=east' },
              { about: 'property', requirement: 'nodes Ge 3', value: '2' },
            ],
          },
          { term: 1, unmet: [{ about: 'label', requirement: 'env=prod', value: 'test' }] },
        ],
      }),
      'no P: required term 0 needs region=east, but the cluster has no such label and nodes Ge 3, but it is 2; ' +
        'required term 1 needs env=prod, but it is test → label MemberCluster c1 to meet env=prod, or change the term',
    ],
    [
      rejected(
        { kind: 'spread', topologyKey: 'zone', domain: 'a', count: 2, smallest: 1, largest: 2, maxSkew: 1 },
        { place: 5 },
      ),
      'no P: zone=a has 2 chosen clusters, the emptiest domain 1, and maxSkew is 1 → ' +
        'raise numberOfClusters to 5, or maxSkew of zone',
    ],
    [
      rejected({ kind: 'eligibility', check: 'silent' }),
      'no P: no → look at the agent of c1, and at its network: it does not reach the hub',
    ],
  ];
  for (const [verdict, text] of cases) {
    test(`gets the value and a remedy for ${verdict.rejection?.evidence.kind}`, () =>
      assert.equal(answerText(verdict), text));
  }
});

test('a chosen cluster is explained by its term, its score and what the score is made of', () => {
  const met = [{ about: 'label', requirement: 'region in (east,west)', value: 'east' }] as const;
  const support = { match: { term: 1, met }, scores: [{ term: 0, weight: 9, score: 9, requirements: [] }] };
  assert.equal(
    answerText({ cluster: 'c1', outcome: 'Picked', score: { affinity: 9, spread: 0 }, place: 2, support }),
    'next ClusterAffinity: required term 1 matches: region in (east,west) (east); ' +
      'choice 2, affinity score 9, topology spread score 0 (preferred term 0 adds 9) → ',
  );
});

test('what the hub recorded is shown where the scheduler here decides otherwise', () => {
  const verdict: Verdict = { cluster: 'c1', outcome: 'Outscored', score: { affinity: 0, spread: 0 }, place: 3 };
  const decision = { clusterName: 'c1', selected: false, reason: 'ClusterUnschedulable, cluster is frozen' };
  assert.equal(answerOn(verdict, pickN, { ...nothing, decision }).recorded, decision.reason);
  const outscored = { ...decision, reason: 'Cluster "c1" does not score high enough' };
  assert.equal(answerOn(verdict, pickN, { ...nothing, decision: outscored }).recorded, undefined);
});

test('a cluster that is not chosen is compared with the lowest that is', () => {
  const verdict: Verdict = { cluster: 'c1', outcome: 'Outscored', score: { affinity: 5, spread: 0 }, place: 3 };
  const reasonWith = (lowestScore: number): string => answerOn(verdict, { ...pickN, lowestScore }, nothing).reason;
  assert.match(reasonWith(9), /; the lowest chosen has affinity score 9$/);
  assert.match(reasonWith(5), /; the lowest chosen has affinity score 5: names decide$/);
  assert.match(reasonWith(1), /; chosen clusters stay, although the lowest has affinity score 1$/);
});
