import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { checkOwnersBeforeApply, checkOwnersBeforeTakeOver } from './ownership-checks.ts';

const ours: OwnerReference = {
  apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
  kind: 'AppliedWork',
  name: 'work',
  uid: 'u1',
};
const another: OwnerReference = { ...ours, name: 'other', uid: 'u2' };
const stranger: OwnerReference = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u3' };

const owned = (...ownerReferences: OwnerReference[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', ownerReferences },
});

const alone = { allowCoOwnership: false };
const shared = { allowCoOwnership: true };

describe('before an object is applied', () => {
  const check = (manifest: KubeObject, live: KubeObject | undefined, strategy: { allowCoOwnership?: boolean }) => () =>
    checkOwnersBeforeApply({ manifest, live, owner: ours, strategy });

  test('nothing is wrong with a new object, nor with one that is ours', () => {
    assert.doesNotThrow(check(owned(), undefined, {}));
    assert.doesNotThrow(check(owned(), owned(ours), alone));
    assert.doesNotThrow(check(owned(stranger), owned(stranger, ours), shared));
  });

  const refusals: [string, KubeObject, KubeObject | undefined, typeof alone, RegExp][] = [
    [
      'its manifest names owners and may not',
      owned(stranger),
      undefined,
      alone,
      /^the manifest names owners of its own, Pod p; .*allowCoOwnership/,
    ],
    [
      'its manifest names an AppliedWork',
      owned(another),
      undefined,
      shared,
      /^the manifest names an AppliedWork as an owner/,
    ],
    [
      'it is shared and may no longer be',
      owned(),
      owned(ours, stranger),
      alone,
      /^the object on the member also belongs to Pod p; .*allowCoOwnership/,
    ],
    ['it is not ours', owned(), owned(stranger), shared, /does not belong to this Work any more$/],
    [
      'another Work has it too',
      owned(),
      owned(ours, another),
      shared,
      /^the object on the member already comes from the Work other; /,
    ],
  ];
  for (const [when, manifest, live, strategy, message] of refusals) {
    test(`it is refused when ${when}`, () =>
      assert.throws(check(manifest, live, strategy), { name: 'OwnershipRefusal', message }));
  }

  test('a conflict between two Works is named, whether objects may be shared or not', () => {
    const conflict = 'ApplyConflictBetweenPlacements';
    assert.throws(check(owned(), owned(ours, another), shared), { conflict });
    assert.throws(check(owned(), owned(ours, another), alone), { conflict });
  });
});

describe('before an object is taken over', () => {
  const check = (owners: OwnerReference[], strategy: typeof alone) => () =>
    checkOwnersBeforeTakeOver({ owners, owner: ours, strategy });

  test('nothing is wrong with one that nobody owns, or that may be shared', () => {
    assert.doesNotThrow(check([], alone));
    assert.doesNotThrow(check([stranger], shared));
  });

  test('it is refused when it has an owner and may have only one', () => {
    const message = /^the object on the member already belongs to Pod p; set allowCoOwnership/;
    assert.throws(check([stranger], alone), { name: 'OwnershipRefusal', message, conflict: undefined });
  });

  test('it is refused when another Work has it, also when it may be shared', () => {
    const refusal = { message: /Work other; .*placed once only/, conflict: 'ApplyConflictBetweenPlacements' };
    assert.throws(check([another], shared), refusal);
    assert.throws(check([another], alone), refusal);
  });
});
