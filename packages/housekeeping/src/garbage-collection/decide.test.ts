import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, type OwnerReference } from '@flotilla/kube';
import { nothingToDo } from '@flotilla/runtime';
import {
  decideForeground,
  decideOrphaning,
  decideOwned,
  unblockedOwners,
  type OwnerStatus,
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
  statuses: readonly OwnerStatus[],
  more: { hasDependents?: boolean; hasWaitingDependent?: boolean; finalizers?: string[]; blocks?: boolean } = {},
) {
  const { hasDependents = false, hasWaitingDependent = false, finalizers = [], blocks = false } = more;
  const references = statuses.map((status, at) => ownedBy(`${status}-${at}`, { blockOwnerDeletion: blocks }));
  return decideOwned({
    item: target('boat', references, finalizers),
    owners: statuses.map((status, at) => ({ reference: references[at] ?? ownedBy('x'), status })),
    hasDependents,
    hasWaitingDependent,
  });
}

function deleted(propagationPolicy: 'Background' | 'Foreground' | 'Orphan') {
  const key = { namespace: 'sea', name: 'boat' };
  return { steps: [[{ verb: 'delete', kind, key, uid: 'uid-boat', resourceVersion: '7', propagationPolicy }]] };
}

describe('an object with owners', () => {
  test('is left alone while all owners exist', () => {
    assert.deepEqual(decided(['solid', 'solid']), nothingToDo);
  });

  test('loses references to deleted and waiting owners while one is solid', () => {
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

  test('is deleted when no owner exists', () => {
    assert.deepEqual(decided(['dangling', 'dangling']), deleted('Background'));
  });

  test('is deleted with the policy that its finalizers record', () => {
    assert.deepEqual(decided(['dangling'], { finalizers: ['orphan'] }), deleted('Orphan'));
    assert.deepEqual(decided(['dangling'], { finalizers: ['foregroundDeletion'] }), deleted('Foreground'));
  });

  test('is deleted in the background when an owner waits and it has no dependents', () => {
    assert.deepEqual(decided(['waiting']), deleted('Background'));
  });

  test('is deleted in the foreground when an owner waits and it has dependents', () => {
    assert.deepEqual(decided(['waiting', 'dangling'], { hasDependents: true }), deleted('Foreground'));
  });

  test('stops blocking its owners when it is in a cycle of waiting owners', () => {
    const { steps } = decided(['waiting'], { hasDependents: true, hasWaitingDependent: true, blocks: true });
    const [write] = steps[0] ?? [];
    assert.deepEqual(write?.verb === 'patch' && write.patch['metadata'], {
      uid: 'uid-boat',
      resourceVersion: '7',
      ownerReferences: [ownedBy('waiting-0', { blockOwnerDeletion: false })],
    });
  });

  test('is deleted in the foreground once it blocks no owner in the cycle', () => {
    const plan = decided(['waiting'], { hasDependents: true, hasWaitingDependent: true });
    assert.deepEqual(plan, deleted('Foreground'));
  });
});

describe('an owner that waits for its dependents', () => {
  const owner = target('fleet', [], ['foregroundDeletion', 'x.y/z']);

  test('waits while one of them blocks it', () => {
    assert.deepEqual(decideForeground(owner, true), nothingToDo);
  });

  test('loses the finalizer when none does, and keeps other finalizers', () => {
    const patch = { metadata: { uid: 'uid-fleet', resourceVersion: '7', finalizers: ['x.y/z'] } };
    assert.deepEqual(decideForeground(owner, false), {
      steps: [[{ verb: 'patch', kind, key: owner.key, patch }]],
    });
  });
});

describe('an owner that leaves orphans', () => {
  const owner = target('fleet', [], ['orphan']);

  test('loses its finalizer after all references to it are removed', () => {
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

  test('loses its finalizer at once without dependents', () => {
    assert.equal(decideOrphaning(owner, []).steps.length, 1);
  });

  test('is reconciled again when one plan cannot orphan all dependents', () => {
    const dependents = Array.from({ length: 501 }, (_, at) => target(`d${at}`, [ownedBy('uid-fleet')]));
    const { steps, requeueAfterMs } = decideOrphaning(owner, dependents);
    assert.equal(steps.length, 1);
    assert.equal(steps[0]?.length, 500);
    assert.equal(requeueAfterMs, 0);
  });
});

test('finding unblocked owners reads each reference a constant number of times', () => {
  let reads = 0;
  const references = Array.from({ length: 1000 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    blockOwnerDeletion: true,
    get uid(): string {
      reads++;
      return `uid-${index}`;
    },
  }));
  const gone = unblockedOwners(references, references.slice(1));
  assert.ok(reads < 3 * references.length, `${reads} reads`);
  assert.deepEqual(
    gone.map(({ uid }) => uid),
    ['uid-0'],
  );
});
