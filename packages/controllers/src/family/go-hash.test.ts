import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { goHash, ResourceHash, type GoStruct } from './go-hash.ts';

const policy: GoStruct = { fields: [{ name: 'placementType' }, { name: 'clusterNames' }, { name: 'affinity' }] };

test("hashes are KubeFleet's", () => {
  assert.equal(goHash(null), '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b');
  assert.equal(
    goHash({ placementType: 'PickAll' }, policy),
    '8cc57dee59684ff88766e26936c8fb125f4bde234a2beb5c54aded4569db0d5a',
  );
  assert.equal(
    goHash({ clusterNames: ['c1', 'c2'], placementType: 'PickFixed' }, policy),
    'a6bb560f03521831ff2b48fcd32350ff643f82d7419a8391488df487b1413696',
  );
  assert.equal(goHash({ selectedResources: [] }), '83ff749c5d8eb5a0b62d714175bcbaef1409b371fc5a229a002db6fcc1f144e1');
});

test('empty fields are omitted, unless the struct prints them', () => {
  const term: GoStruct = {
    fields: [{ name: 'name', whenEmpty: '' }, { name: 'values', whenEmpty: null }, { name: 'note' }],
  };
  assert.equal(goHash({ note: '' }, term), goHash({ name: '', values: null }, term));
  assert.notEqual(goHash({ values: [] }, term), goHash({}, term));
});

test('keys of a map are sorted, fields of a struct inside are not', () => {
  const outer: GoStruct = { fields: [{ name: 'terms', type: { of: { fields: [{ name: 'z' }, { name: 'a' }] } } }] };
  assert.equal(
    goHash({ terms: [{ a: 1, z: { d: 1, c: 2 } }] }, outer),
    goHash({ terms: [{ z: { c: 2, d: 1 }, a: 1 }] }, outer),
  );
  assert.notEqual(goHash({ terms: [{ a: 1, z: 2 }] }, outer), goHash({ terms: [{ a: 1, z: 2 }] }));
});

test('an empty map is omitted, an empty struct is not', () => {
  const selector: GoStruct = { fields: [{ name: 'matchLabels', type: 'map' }] };
  const term: GoStruct = { fields: [{ name: 'labelSelector', type: selector }] };
  assert.equal(goHash({ labelSelector: { matchLabels: {} } }, term), goHash({ labelSelector: {} }, term));
  assert.notEqual(goHash({ labelSelector: {} }, term), goHash({}, term));
});

test('keys that look like numbers are sorted as text', () => {
  const labels: GoStruct = { fields: [{ name: 'matchLabels', type: 'map' }] };
  const text = '{"matchLabels":{"10":"a","9":"b"}}';
  assert.equal(goHash({ matchLabels: { 9: 'b', 10: 'a' } }, labels), createHash('sha256').update(text).digest('hex'));
});

test('resources are hashed one after another like the whole list, with the sizes that KubeFleet counts', () => {
  const resources = [{ kind: 'ConfigMap', data: { text: 'ä<b>' } }, { apiVersion: 'v1' }];
  const hash = new ResourceHash();
  const sizes = resources.map((resource) => hash.add(resource));
  assert.deepEqual(sizes, [55, 20]);
  assert.equal(hash.hex(), goHash({ selectedResources: resources }));
  assert.equal(new ResourceHash().hex(), goHash({ selectedResources: [] }));
});
