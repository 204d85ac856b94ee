import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, type OwnerReference } from '@flotilla/kube';
import { nothingToDo } from '@flotilla/runtime';
import {
  decideForeground,
  decideOrphaning,
  decideOwned,
  unblockedOwners,
  type Standing,
  type Target,
} from './decide.ts';

const kind = configMaps;

function ownedBy(uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: `named-${uid}`, uid, ...more };
}

function target(name: string, ownerReferences: OwnerReference[] = [], finalizers: string[] = []): Target {
  const metadata = { name, namespace: 'sea', uid: `uid-${name}`, resourceVersion: '7', ownerReferences, finalizers };
  return {
    kind: configMaps,
    key: { namespace: 'sea', name },
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata },
  };
}

function decided(
  standings: readonly Standing[],
  more: { hasDependents?: boolean; hasWaitingDependent?: boolean; finalizers?: string[]; blocks?: boolean } = {},
) {
  const { hasDependents = false, hasWaitingDependent = false, finalizers = [], blocks = false } = more;
  const references = standings.map((standing, at) => ownedBy(`${standing}-${at}`, { blockOwnerDeletion: blocks }));
  return decideOwned({
    item: target('boat', references, finalizers),
    owners: standings.map((standing, at) => ({ reference: references[at] ?? ownedBy('x'), standing })),
    hasDependents,
    hasWaitingDependent,
  });
}

function deleted(propagationPolicy: 'Background' | 'Foreground' | 'Orphan') {
  const key = { namespace: 'sea', name: 'boat' };
  return { steps: [[{ verb: 'delete', kind, key, uid: 'uid-boat', resourceVersion: '7', propagationPolicy }]] };
}

describe('an object with owners', () => {
  test('is left alone while all of them are there', () => {
    assert.deepEqual(decided(['solid', 'solid']), nothingToDo);
  });

  test('forgets those that are gone or going when one is there', () => {
    const patch = {
      metadata: {
        uid: 'uid-boat',
        resourceVersion: '7',
        ownerReferences: [ownedBy('solid-1', { blockOwnerDeletion: false })],
      },
    };
    const key = { namespace: 'sea', name: 'boat' };
    assert.deepEqual(decided(['dangling', 'solid', 'waiting']), { steps: [[{ verb: 'patch', kind, key, patch }]] });
  });

  test('goes when none is there', () => {
    assert.deepEqual(decided(['dangling', 'dangling']), deleted('Background'));
  });

  test('goes as somebody wanted it to go before', () => {
    assert.deepEqual(decided(['dangling'], { finalizers: ['orphan'] }), deleted('Orphan'));
    assert.deepEqual(decided(['dangling'], { finalizers: ['foregroundDeletion'] }), deleted('Foreground'));
  });

  test('goes at once when an owner waits for it and it owns nothing', () => {
    assert.deepEqual(decided(['waiting']), deleted('Background'));
  });

  test('goes after those it owns when an owner waits for it', () => {
    assert.deepEqual(decided(['waiting', 'dangling'], { hasDependents: true }), deleted('Foreground'));
  });

  test('stops blocking its owners when it stands in a circle of those who wait', () => {
    const { steps } = decided(['waiting'], { hasDependents: true, hasWaitingDependent: true, blocks: true });
    const [write] = steps[0] ?? [];
    assert.deepEqual(write?.verb === 'patch' && write.patch['metadata'], {
      uid: 'uid-boat',
      resourceVersion: '7',
      ownerReferences: [ownedBy('waiting-0', { blockOwnerDeletion: false })],
    });
  });

  test('goes after those it owns once it blocks nobody in the circle', () => {
    const plan = decided(['waiting'], { hasDependents: true, hasWaitingDependent: true });
    assert.deepEqual(plan, deleted('Foreground'));
  });
});

describe('an owner that waits for its dependents', () => {
  const owner = target('fleet', [], ['foregroundDeletion', 'x.y/z']);

  test('waits while one of them blocks it', () => {
    assert.deepEqual(decideForeground(owner, true), nothingToDo);
  });

  test('is let go when none does, but other finalizers stay', () => {
    const patch = { metadata: { uid: 'uid-fleet', resourceVersion: '7', finalizers: ['x.y/z'] } };
    assert.deepEqual(decideForeground(owner, false), {
      steps: [[{ verb: 'patch', kind, key: owner.key, patch }]],
    });
  });
});

describe('an owner that leaves orphans', () => {
  const owner = target('fleet', [], ['orphan']);

  test('is forgotten by them before it goes', () => {
    const dependents = [target('a', [ownedBy('uid-fleet')]), target('b', [ownedBy('other'), ownedBy('uid-fleet')])];
    const { steps } = decideOrphaning(owner, dependents);
    assert.deepEqual(
      steps.map((step) => step.map((write) => write.verb === 'patch' && [write.key.name, write.patch['metadata']])),
      [
        [
          ['a', { uid: 'uid-a', resourceVersion: '7', ownerReferences: null }],
          ['b', { uid: 'uid-b', resourceVersion: '7', ownerReferences: [ownedBy('other')] }],
        ],
        [['fleet', { uid: 'uid-fleet', resourceVersion: '7', finalizers: [] }]],
      ],
    );
  });

  test('goes at once when there are none', () => {
    assert.equal(decideOrphaning(owner, []).steps.length, 1);
  });

  test('stays for another turn when they are many', () => {
    const dependents = Array.from({ length: 501 }, (_, at) => target(`d${at}`, [ownedBy('uid-fleet')]));
    const { steps, requeueAfterMs } = decideOrphaning(owner, dependents);
    assert.equal(steps.length, 1);
    assert.equal(steps[0]?.length, 500);
    assert.equal(requeueAfterMs, 0);
  });
});

test('owners that are blocked no more are found with one look at each reference', () => {
  let looks = 0;
  const references = Array.from({ length: 1000 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    blockOwnerDeletion: true,
    get uid(): string {
      looks++;
      return `uid-${index}`;
    },
  }));
  const gone = unblockedOwners(references, references.slice(1));
  assert.ok(looks < 3 * references.length, `${looks} looks`);
  assert.deepEqual(
    gone.map(({ uid }) => uid),
    ['uid-0'],
  );
});
