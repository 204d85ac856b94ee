import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { checkOwnersBeforeApply, checkOwnersBeforeTakeOver, OwnershipRefusal } from './ownership-checks.ts';

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

  const refusals: [string, KubeObject, KubeObject | undefined, typeof alone, OwnershipRefusal][] = [
    [
      'its manifest names owners and may not',
      owned(stranger),
      undefined,
      alone,
      new OwnershipRefusal('manifest is set to have owner references but co-ownership is disallowed'),
    ],
    [
      'its manifest names an AppliedWork',
      owned(another),
      undefined,
      shared,
      new OwnershipRefusal('an AppliedWork object is unexpectedly added as an owner in the manifest object'),
    ],
    [
      'it is shared and may no longer be',
      owned(),
      owned(ours, stranger),
      alone,
      new OwnershipRefusal('object is co-owned by multiple objects but co-ownership has been disallowed'),
    ],
    [
      'it is not ours',
      owned(),
      owned(stranger),
      shared,
      new OwnershipRefusal('object is not owned by the expected AppliedWork object'),
    ],
    [
      'another Work has it too',
      owned(),
      owned(ours, another),
      shared,
      new OwnershipRefusal('object is already owned by another AppliedWork object', 'ApplyConflictBetweenPlacements'),
    ],
  ];
  for (const [when, manifest, live, strategy, refusal] of refusals) {
    test(`it is refused when ${when}`, () => assert.throws(check(manifest, live, strategy), refusal));
  }
});

describe('before an object is taken over', () => {
  const check = (owners: OwnerReference[], strategy: typeof alone) => () =>
    checkOwnersBeforeTakeOver({ owners, owner: ours, strategy });

  test('nothing is wrong with one that nobody owns, or that may be shared', () => {
    assert.doesNotThrow(check([], alone));
    assert.doesNotThrow(check([stranger], shared));
  });

  test('it is refused when it has an owner and may have only one', () => {
    const owner = 'map[apiVersion:v1 kind:Pod name:p uid:u3]';
    const sentence = `the object is already owned by some other sources(s) and co-ownership is disallowed (existingOwnerRefs: [${owner}])`;
    assert.throws(check([stranger], alone), new OwnershipRefusal(sentence));
  });

  test('it is refused when another Work has it, also when it may be shared', () => {
    const conflict = 'ApplyConflictBetweenPlacements';
    assert.throws(
      check([another], shared),
      new OwnershipRefusal('the object is already owned by another Fleet AppliedWork object', conflict),
    );
    assert.throws(check([another], alone), { conflict });
  });
});
