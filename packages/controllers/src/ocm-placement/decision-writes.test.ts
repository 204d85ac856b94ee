import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ocmPlacements, type OcmPlacement, type PlacementDecision, type SelectedCluster } from '@flotilla/api';
import * as fc from 'fast-check';
import type { Write } from '@flotilla/runtime';
import { decisionSteps } from './decision-writes.ts';
import { decisionEvents } from './placement-events.ts';
import { changeOf } from './score-limit.ts';
import type { WantedDecision } from './wanted-decisions.ts';

const placement: OcmPlacement = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: ocmPlacements.kind,
  metadata: { namespace: 'shop', name: 'web', uid: 'u' },
  spec: {},
};
const labels = { 'cluster.open-cluster-management.io/placement': 'web' };
const listOf = (text: string): SelectedCluster[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((clusterName) => ({ clusterName, reason: '' }));

/** Of each list, the clusters of one PlacementDecision. */
function wanted(...lists: string[]): WantedDecision[] {
  return lists.map((list, index) => ({ name: `web-decision-${index + 1}`, labels, decisions: listOf(list) }));
}

function existing(...lists: string[]): PlacementDecision[] {
  return lists.map((list, index) => ({
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: { namespace: 'shop', name: `web-decision-${index + 1}`, uid: `u${index}`, resourceVersion: '7', labels },
    ...(list !== '' && { status: { decisions: listOf(list) } }),
  }));
}

function stepsFor(before: readonly string[], after: readonly string[]): Write[][] {
  return decisionSteps(placement, wanted(...after), existing(...before), decisionEvents(placement, undefined));
}

/** `1=a b` for a status, `+1` for a creation, `-1` for a deletion; steps apart. */
function inWords(steps: readonly (readonly Write[])[]): string[] {
  return steps.flatMap((step) => {
    const words = step.flatMap((write) => {
      if (write.verb === 'create') return [`+${write.object.metadata.name?.at(-1)}`];
      if (write.verb === 'delete') return [`-${write.key.name.at(-1)}`];
      if (write.verb !== 'patch' || write.subresource !== 'status') return [];
      const { decisions } = write.patch['status'] as { decisions: SelectedCluster[] };
      return [`${write.key.name.at(-1)}=${decisions.map(({ clusterName }) => clusterName).join(' ')}`];
    });
    return words.length === 0 ? [] : [words.join(', ')];
  });
}

describe('writes of PlacementDecisions', () => {
  const rows: readonly (readonly [claim: string, before: string[], after: string[], steps: string[]])[] = [
    ['create objects, then fill them', [], ['a b', 'c'], ['+1, +2', '1=a b, 2=c']],
    ['leave an empty object without a status', [], [''], ['+1']],
    ['change nothing that is right', ['a b'], ['a b'], []],
    [
      'let clusters arrive to the right before they leave on the left',
      ['b c', 'd e', 'f'],
      ['a b', 'c d', 'e f'],
      ['3=e f', '2=c d', '1=a b'],
    ],
    ['let clusters arrive on the left before they leave to the right', ['a b', 'c d'], ['b c', 'd'], ['1=b c', '2=d']],
    ['delete an object when its clusters have arrived', ['a', 'b'], ['a b'], ['1=a b', '-2']],
    ['keep both in one object while clusters change places', ['a', 'b'], ['b', 'a'], ['1=b a', '2=a', '1=b']],
  ];
  for (const [claim, before, after, steps] of rows) {
    test(claim, () => assert.deepEqual(inWords(stepsFor(before, after)), steps));
  }

  test('never lose a cluster that stays, in no order of the writes of a step', () => {
    const lists = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 4 }), {
      maxLength: 4,
    });
    // A cluster is in one object at most.
    const disjoint = lists.map((all) =>
      all.map((list, index) => list.filter((one) => !all.slice(0, index).flat().includes(one)).join(' ')),
    );
    fc.assert(
      fc.property(disjoint, disjoint, (before, after) => {
        const state = new Map(
          before.map((list, index) => [String(index + 1), new Set(list.split(' ').filter(Boolean))]),
        );
        const staying = before
          .join(' ')
          .split(' ')
          .filter((one) => one !== '' && after.join(' ').split(' ').includes(one));
        for (const step of inWords(stepsFor(before, after))) {
          const held = new Map([...state].map(([name, clusters]) => [name, new Set(clusters)]));
          for (const word of step.split(', ')) {
            const [, name = '', list] = /^[+-]?(\d)(?:=(.*))?$/.exec(word) ?? [];
            const clusters = new Set((list ?? '').split(' ').filter(Boolean));
            state.set(name, clusters);
            // Another client sees the object before the write, or after it: at worst, only what both have.
            held.set(name, clusters.intersection(held.get(name) ?? clusters));
          }
          const seen = new Set([...held.values()].flatMap((clusters) => [...clusters]));
          assert.deepEqual(
            staying.filter((one) => !seen.has(one)),
            [],
          );
        }
        const last = [...state.values()].flatMap((clusters) => [...clusters]).sort();
        assert.deepEqual(last, after.join(' ').split(' ').filter(Boolean).sort());
      }),
      { seed: 18, numRuns: 300 },
    );
  });
});

describe('a change of decisions', () => {
  const scored = (...scores: number[]): SelectedCluster[] =>
    scores.map((score, index) => ({ clusterName: `c${index}`, reason: '', score }));
  const before: PlacementDecision[] = existing('').map((object) => ({
    ...object,
    status: { decisions: scored(1, 2) },
  }));
  const after = (decisions: SelectedCluster[]): WantedDecision[] => [{ name: 'web-decision-1', labels, decisions }];

  for (const [claim, decisions, change] of [
    ['with the same clusters and scores is none', scored(1, 2), 'none'],
    ['of scores is one of scores', scored(1, 3), 'scores'],
    ['of the order is one of scores', scored(1, 2).toReversed(), 'scores'],
    ['of clusters is one of the selection', scored(1), 'selection'],
  ] as const) {
    test(claim, () => assert.equal(changeOf(after(decisions), before), change));
  }
});
