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

  test('a new object passes, and so does one that the Work owns', () => {
    assert.doesNotThrow(check(owned(), undefined, {}));
    assert.doesNotThrow(check(owned(), owned(ours), alone));
    assert.doesNotThrow(check(owned(stranger), owned(stranger, ours), shared));
  });

  const refusals: [string, KubeObject, KubeObject | undefined, typeof alone, RegExp][] = [
    [
      'its manifest has owners and co-ownership is not allowed',
      owned(stranger),
      undefined,
      alone,
      /^the manifest has ownerReferences \(Pod p\); .*allowCoOwnership/,
    ],
    [
      'its manifest has an AppliedWork as owner',
      owned(another),
      undefined,
      shared,
      /^the manifest has an AppliedWork in its ownerReferences/,
    ],
    [
      'it has another owner and co-ownership is no longer allowed',
      owned(),
      owned(ours, stranger),
      alone,
      /^the object on the member is also owned by Pod p; .*allowCoOwnership/,
    ],
    ['the Work does not own it', owned(), owned(stranger), shared, /is no longer owned by this Work$/],
    [
      'another Work owns it too',
      owned(),
      owned(ours, another),
      shared,
      /^the object on the member is already applied by the Work other; /,
    ],
  ];
  for (const [when, manifest, live, strategy, message] of refusals) {
    test(`it is refused if ${when}`, () =>
      assert.throws(check(manifest, live, strategy), { name: 'OwnershipRefusal', message }));
  }

  test('a conflict between two Works has its name, whether co-ownership is allowed or not', () => {
    const conflict = 'ApplyConflictBetweenPlacements';
    assert.throws(check(owned(), owned(ours, another), shared), { conflict });
    assert.throws(check(owned(), owned(ours, another), alone), { conflict });
  });
});

describe('before an object is taken over', () => {
  const check = (owners: OwnerReference[], strategy: typeof alone) => () =>
    checkOwnersBeforeTakeOver({ owners, owner: ours, strategy });

  test('one without owners passes, and so does one with owners if co-ownership is allowed', () => {
    assert.doesNotThrow(check([], alone));
    assert.doesNotThrow(check([stranger], shared));
  });

  test('it is refused if it has an owner and co-ownership is not allowed', () => {
    const message = /^the object on the member is already owned by Pod p; set allowCoOwnership/;
    assert.throws(check([stranger], alone), { name: 'OwnershipRefusal', message, conflict: undefined });
  });

  test('it is refused if another Work owns it, even if co-ownership is allowed', () => {
    const refusal = {
      message: /Work other; remove it from one of the two placements/,
      conflict: 'ApplyConflictBetweenPlacements',
    };
    assert.throws(check([another], shared), refusal);
    assert.throws(check([another], alone), refusal);
  });
});
