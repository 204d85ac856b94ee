import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject } from '../json/value.ts';
import { PatchError } from './patch-error.ts';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from './strategic-merge-patch.ts';
import { podSpec } from './pod-schema.testing.ts';

const original = {
  containers: [
    {
      name: 'x',
      image: 'x',
      args: ['one', 'two'],
      env: [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'b' },
      ],
    },
    { name: 'y', image: 'y' },
  ],
  volumes: [{ name: 'v', emptyDir: {} }],
  tolerations: [{ key: 'k' }],
  nodeSelector: { disk: 'ssd' },
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
  affinity: { old: true },
  finalizers: ['a', 'b'],
  table: { row: { cell: 1 } },
};

const patched = (patch: JsonObject) => applyStrategicMergePatch(original, patch, podSpec);
const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);

describe('applyStrategicMergePatch on objects', () => {
  test('merges maps, and null deletes', () => {
    assert.deepEqual(patched({ nodeSelector: { disk: null, zone: 'a' } })['nodeSelector'], { zone: 'a' });
    assert.equal(Object.hasOwn(patched({ nodeSelector: null }), 'nodeSelector'), false);
  });

  test('drops nulls and directives from new values', () => {
    const patch = {
      fresh: { a: null, list: [{ b: 1 }, { name: 'z', $patch: 'delete' }], gone: { $patch: 'replace' } },
    };
    assert.deepEqual(patched(patch)['fresh'], { list: [{ b: 1 }] });
  });

  test('replaces a field with strategy replace', () => {
    assert.deepEqual(patched({ affinity: { new: true } })['affinity'], { new: true });
  });

  test('replaces or empties an object with a $patch marker', () => {
    assert.deepEqual(patched({ nodeSelector: { $patch: 'replace', zone: 'a' } })['nodeSelector'], { zone: 'a' });
    assert.deepEqual(patched({ nodeSelector: { $patch: 'delete' } })['nodeSelector'], {});
  });

  test('drops keys that are not in $retainKeys', () => {
    assert.deepEqual(patched({ strategy: { $retainKeys: ['type'], type: 'Recreate' } })['strategy'], {
      type: 'Recreate',
    });
  });

  test('keeps a value of another type', () => {
    assert.deepEqual(patched({ nodeSelector: 'none', containers: { a: null } }), {
      ...original,
      nodeSelector: 'none',
      containers: {},
    });
  });

  test('treats __proto__ and constructor as ordinary keys', () => {
    const patch = JSON.parse('{"nodeSelector":{"__proto__":"x","constructor":"y"}}') as JsonObject;
    assert.equal(JSON.stringify(patched(patch)['nodeSelector']), '{"disk":"ssd","__proto__":"x","constructor":"y"}');
  });
});

describe('applyStrategicMergePatch on lists', () => {
  test('merges elements by key and puts new ones before those that the patch omits', () => {
    const containers = patched({
      containers: [
        { name: 'x', image: 'new' },
        { name: 'z', image: 'z' },
      ],
    })['containers'];
    assert.deepEqual(names(containers), ['x', 'z', 'y']);
    assert.deepEqual((containers as JsonObject[])[0], { ...original.containers[0], image: 'new' });
  });

  test('replaces a list without strategy', () => {
    assert.deepEqual(patched({ tolerations: [{ key: 'new' }] })['tolerations'], [{ key: 'new' }]);
  });

  test('deletes elements with a delete marker', () => {
    assert.deepEqual(names(patched({ containers: [{ name: 'x', $patch: 'delete' }] })['containers']), ['y']);
  });

  test('replaces a list if an element has a replace marker', () => {
    const env = [{ $patch: 'replace' }, { name: 'Z', value: 'z' }];
    const containers = patched({ containers: [{ name: 'x', env }] })['containers'] as JsonObject[];
    assert.deepEqual(containers[0]?.['env'], [{ name: 'Z', value: 'z' }]);
  });

  test('puts new scalars of a set before those that the patch omits', () => {
    assert.deepEqual(patched({ finalizers: ['z'] })['finalizers'], ['z', 'a', 'b']);
    assert.deepEqual(patched({ finalizers: ['b', 'z', 'b'] })['finalizers'], ['a', 'b', 'z']);
  });

  test('removes the scalars in $deleteFromPrimitiveList', () => {
    assert.deepEqual(patched({ '$deleteFromPrimitiveList/finalizers': ['a'] })['finalizers'], ['b']);
  });

  test('adds, removes and orders scalars in one patch', () => {
    const patch = {
      '$deleteFromPrimitiveList/finalizers': ['a'],
      '$setElementOrder/finalizers': ['z', 'b'],
      finalizers: ['z'],
    };
    assert.deepEqual(patched(patch)['finalizers'], ['z', 'b']);
  });

  test('orders elements by $setElementOrder and keeps the others in place', () => {
    const order = { '$setElementOrder/containers': [{ name: 'y' }, { name: 'x' }] };
    assert.deepEqual(names(patched(order)['containers']), ['y', 'x']);
    const withNew = { '$setElementOrder/containers': [{ name: 'z' }, { name: 'y' }], containers: [{ name: 'z' }] };
    assert.deepEqual(names(patched(withNew)['containers']), ['z', 'x', 'y']);
  });

  test('keeps a list whole when the order list is empty', () => {
    assert.deepEqual(names(patched({ '$setElementOrder/containers': [] })['containers']), ['x', 'y']);
  });

  test('orders a new list', () => {
    const patch = {
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [{ name: 'b' }, { name: 'a' }],
    };
    assert.deepEqual(names(applyStrategicMergePatch({}, patch, podSpec)['containers']), ['b', 'a']);
  });

  test('ignores an order for a list that neither side has', () => {
    assert.deepEqual(applyStrategicMergePatch({}, { '$setElementOrder/containers': [{ name: 'b' }] }, podSpec), {});
  });
});

describe('applyStrategicMergePatch refuses', () => {
  for (const [patch, fault, message] of [
    [{ nodeSelector: { $patch: 'foo' } }, 'unexpected', 'unknown patch type: foo in map: map[$patch:foo]'],
    [{ nodeSelector: { $patch: 'merge' } }, 'unexpected', 'unknown patch type: merge in map: map[$patch:merge]'],
    [{ nodeSelector: { $patch: 3 } }, 'unexpected', 'unknown patch type: %!s(int64=3) in map: map[$patch:3]'],
    [{ containers: [{ image: 'q' }] }, 'unexpected', 'map: map[image:q] does not contain declared merge key: name'],
    [
      { containers: [{ $patch: 'merge', name: 'x' }] },
      'unexpected',
      'merging lists cannot yet be specified in the patch',
    ],
    [
      { containers: [{ $patch: 'zz', name: 'x', n: 1.5, b: true, l: [1, 'a'], z: null }] },
      'unexpected',
      'unknown patch type: zz in map: map[$patch:zz b:true l:[1 a] n:1.5 name:x z:<nil>]',
    ],
    [
      { containers: [{ $patch: 'delete' }] },
      'unexpected',
      'map: map[$patch:delete] does not contain declared merge key: name',
    ],
    [{ finalizers: [3] }, 'unexpected', 'list element types are not identical: [[a b] [3]]'],
    [
      { '$setElementOrder/containers': [{ name: 'y' }], containers: [{ name: 'x', image: 'n' }] },
      'unexpected',
      "The order in patch list:\n[map[image:n name:x]]\n doesn't match $setElementOrder list:\n[map[name:y]]\n",
    ],
    [{ '$setElementOrder/containers': 3 }, 'unexpected', 'expected a []interface {}, but received a int64'],
    [{ '$setElementOrder/containers': ['x'] }, 'unexpected', 'value for key 0 is not a map'],
    [
      { '$setElementOrder/nope': ['x'] },
      'unexpected',
      'unable to find api field in struct PodSpec for the json field "nope"',
    ],
    [{ $setElementOrder: ['x'] }, 'malformed', 'invalid patch format of setElementOrder list'],
    [{ $deleteFromPrimitiveList: ['x'] }, 'malformed', 'invalid patch format of primitive list'],
    [{ strategy: { $retainKeys: ['foo'], type: 'Recreate' } }, 'malformed', 'invalid patch format of retainKeys'],
    [{ strategy: { $retainKeys: 3, type: 'Recreate' } }, 'malformed', 'invalid patch format of retainKeys'],
    [
      { table: { row: { cell: 2 } } },
      'unexpected',
      'merging an object in json but data type is not struct, instead is: map',
    ],
  ] as readonly (readonly [JsonObject, string, string])[]) {
    test(`${JSON.stringify(patch)} with "${message}"`, () => {
      assert.throws(() => patched(patch), { name: 'PatchError', fault, message });
    });
  }

  test('a list of lists', () => {
    const refused = () => applyStrategicMergePatch({ finalizers: [] }, { finalizers: [['x']] }, podSpec);
    assert.throws(refused, { fault: 'inapplicable', message: 'lists of lists are not supported' });
  });

  test('a document beyond the maximum depth', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`) as JsonObject;
    assert.throws(() => patched(deep), { fault: 'malformed', message: 'exceeded max depth' });
  });
});

describe('applyStrategicMergePatch always', () => {
  const name = fc.constantFrom('x', 'y', 'z', 'w');
  const element = fc.record(
    { name, image: fc.string(), $patch: fc.constantFrom('delete', 'replace') },
    { requiredKeys: ['name'] },
  );
  const patch = fc.record(
    {
      containers: fc.array(element),
      finalizers: fc.array(name),
      '$setElementOrder/finalizers': fc.array(name),
      '$setElementOrder/containers': fc.array(fc.record({ name })),
      '$deleteFromPrimitiveList/finalizers': fc.array(name),
      nodeSelector: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null))),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;

  test('does not modify its inputs, and returns a patch or a PatchError', () => {
    fc.assert(
      fc.property(patch, (given) => {
        const before = JSON.stringify([original, given]);
        try {
          patched(given);
        } catch (error) {
          assert.ok(error instanceof PatchError);
        }
        assert.equal(JSON.stringify([original, given]), before);
      }),
    );
  });

  test('applying a plain patch twice yields the same list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name), (finalizers) => {
        const once = patched({ finalizers });
        assert.deepEqual(applyStrategicMergePatch(once, { finalizers }, podSpec), once);
      }),
    );
  });

  test('shares unchanged parts', () => {
    assert.equal(patched({ nodeSelector: {} })['containers'], original.containers);
  });
});

describe('decodeStrategicMergePatch', () => {
  test('accepts null as an empty patch and refuses values that are no object', () => {
    assert.deepEqual(decodeStrategicMergePatch(null), {});
    const message = 'json: cannot unmarshal number into Go value of type map[string]interface {}';
    assert.throws(() => decodeStrategicMergePatch(3), { fault: 'malformed', message });
  });
});
