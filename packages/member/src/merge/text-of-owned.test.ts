import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { goJson, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { withOwner } from './owners.ts';
import { textOfOwned } from './text-of-owned.ts';

const manifest: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: '<&>' } };

function owner(name: string, uid: string): OwnerReference {
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'AppliedWork', name, uid };
}

function check(of: KubeObject, by: OwnerReference): void {
  const object = withOwner(of, by);
  assert.equal(textOfOwned(object, { manifest: of, owner: by }), goJson(object));
}

test('the text of an owned object is what Go prints, whatever was printed before', () => {
  const [first, second] = [randomUUID(), randomUUID()];
  for (const name of ['one', 'other', 'one'])
    for (const uid of [first, second, first]) check(manifest, owner(name, uid));
  for (const uid of ['', '"', first]) check(manifest, owner('one', uid));
  check(manifest, { ...owner('one', second), blockOwnerDeletion: true });
});

test('a manifest that names the uid of its owner is printed anew', () => {
  const uid = randomUUID();
  const named = { ...manifest, data: { uid } };
  check(named, owner('one', uid));
  check(named, owner('one', randomUUID()));
});
