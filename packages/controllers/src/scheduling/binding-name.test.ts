import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dns1123LabelProblems } from '@flotilla/kube';
import { bindingName } from './binding-name.ts';

const shop = { name: 'shop', uid: 'p1' };

function free(): undefined {
  return undefined;
}

test('the name of a binding depends on the placement, the cluster and nothing else', () => {
  assert.match(bindingName(shop, 'sea', free), /^shop-sea-[0-9a-f]{8}$/);
  assert.equal(bindingName(shop, 'sea', free), bindingName({ ...shop }, 'sea', free));
  const others = [bindingName(shop, 'lake', free), bindingName({ name: 'shop', uid: 'p2' }, 'sea', free)];
  assert.equal(new Set([bindingName(shop, 'sea', free), ...others]).size, 3);
});

test('a name that is taken leads to another, as long as the same binding holds it', () => {
  const first = bindingName(shop, 'sea', free);
  const heldBy = (uid: string) => bindingName(shop, 'sea', (name) => (name === first ? uid : undefined));
  assert.notEqual(heldBy('b1'), first);
  assert.equal(heldBy('b1'), heldBy('b1'));
  assert.notEqual(heldBy('b1'), heldBy('b2'));
  const third = bindingName(shop, 'sea', (name) =>
    new Map([
      [first, 'b1'],
      [heldBy('b1'), 'b2'],
    ]).get(name),
  );
  assert.equal(new Set([first, heldBy('b1'), third]).size, 3);
});

test('the name is a DNS label, also for long names and names with dots', () => {
  const long = { name: `${'p'.repeat(25)}.of.spain`, uid: 'p1' };
  for (const cluster of ['bay.of.biscay', `${'c'.repeat(26)}.${'d'.repeat(20)}`]) {
    const name = bindingName(long, cluster, free);
    assert.deepEqual(dns1123LabelProblems(name), [], name);
  }
  assert.match(bindingName({ name: 'a'.repeat(63), uid: 'p1' }, 'b'.repeat(63), free), /^a{26}-b{27}-[0-9a-f]{8}$/);
});
