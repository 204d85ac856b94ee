import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { applyJsonPatch } from './json-patch.ts';
import { decodeJsonPatch, unknownJsonPatchFields } from './json-patch-operation.ts';
import type { JsonPatchOperation } from './json-patch-operation.ts';
import { PatchError } from './patch-error.ts';

const document = { kind: 'Thing', list: ['a', 'b', 'c'], labels: { 'a/b': '1', 'c~d': '2' }, none: null };

function patched(...operations: readonly JsonPatchOperation[]): JsonValue {
  return applyJsonPatch(document, operations);
}

function listAfter(operation: JsonPatchOperation): JsonValue | undefined {
  return (patched(operation) as JsonObject)['list'];
}

const missingKey = (path: string) => `replace operation does not apply: doc is missing key: ${path}: missing value`;

const inapplicable = (error: unknown) => error instanceof PatchError && error.fault === 'inapplicable';

describe('applyJsonPatch', () => {
  test('inserts before an index, at the end with a dash, and from the end with negative indices', () => {
    assert.deepEqual(listAfter({ op: 'add', path: '/list/0', value: 'x' }), ['x', 'a', 'b', 'c']);
    assert.deepEqual(listAfter({ op: 'add', path: '/list/3', value: 'x' }), ['a', 'b', 'c', 'x']);
    assert.deepEqual(listAfter({ op: 'add', path: '/list/-', value: 'x' }), ['a', 'b', 'c', 'x']);
    assert.deepEqual(listAfter({ op: 'add', path: '/list/-1', value: 'x' }), ['a', 'b', 'c', 'x']);
    assert.deepEqual(listAfter({ op: 'add', path: '/list/-4', value: 'x' }), ['x', 'a', 'b', 'c']);
  });

  test('removes and replaces the last element as index -1', () => {
    assert.deepEqual(listAfter({ op: 'remove', path: '/list/-1' }), ['a', 'b']);
    assert.deepEqual(listAfter({ op: 'replace', path: '/list/-1', value: 'z' }), ['a', 'b', 'z']);
  });

  for (const operation of [
    { op: 'add', path: '/list/4', value: 'x' },
    { op: 'add', path: '/list/-5', value: 'x' },
    { op: 'add', path: '/list/x', value: 'x' },
    { op: 'remove', path: '/list/3' },
    { op: 'remove', path: '/list/-' },
    { op: 'remove', path: '/nowhere' },
    { op: 'remove', path: '' },
    { op: 'replace', path: '/list/3', value: 'x' },
    { op: 'replace', path: '/nowhere/x', value: 'x' },
    { op: 'replace', path: '', value: 3 },
    { op: 'replace', path: '' },
    { op: 'add', path: '/kind/x', value: 'x' },
    { op: 'add', path: '/none/x', value: 'x' },
    { op: 'add', path: 'kind', value: 'x' },
    { op: 'add', value: 'x' },
    { op: 'move', path: '/x' },
    { op: 'move', from: '/nowhere', path: '/x' },
    { op: 'move', from: '/labels', path: '/labels/inner' },
    { op: 'copy', from: '/list/9', path: '/x' },
    { op: 'test', path: '/list/9', value: null },
    { op: 'test', path: '/kind', value: 'Other' },
    { op: 'test', path: '/kind' },
    { op: 'bad', path: '/kind' },
    { path: '/kind' },
  ] as const) {
    test(`refuses ${JSON.stringify(operation)}`, () => {
      assert.throws(() => patched(operation), inapplicable);
    });
  }

  test('lets replace create a member of an object, as kube-apiserver does', () => {
    assert.deepEqual((patched({ op: 'replace', path: '/labels/new', value: 1 }) as JsonObject)['labels'], {
      'a/b': '1',
      'c~d': '2',
      new: 1,
    });
  });

  test('lets replace create nothing, as version 5 of the library does', () => {
    const replaced = (path: string) =>
      applyJsonPatch(document, [{ op: 'replace', path, value: 1 }], { mayReplaceCreate: false });
    assert.throws(() => replaced('/labels/new'), { message: missingKey('/labels/new') });
    assert.throws(() => replaced('/list/9'), { message: missingKey('/list/9') });
    assert.doesNotThrow(() => replaced('/labels/a~1b'));
    assert.doesNotThrow(() => replaced('/list/-1'));
  });

  for (const [operation, message] of [
    [{ op: 'add', path: '/no/x' }, 'add operation does not apply: doc is missing path: "/no/x": missing value'],
    [{ op: 'remove', path: '/no/x' }, 'remove operation does not apply: doc is missing path: "/no/x": missing value'],
    [{ op: 'replace', path: '/no/x' }, 'replace operation does not apply: doc is missing path: /no/x: missing value'],
    [
      { op: 'remove', path: '/no' },
      "error in remove for path: '/no': Unable to remove nonexistent key: no: missing value",
    ],
    [
      { op: 'add', path: '/list/9' },
      "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      { op: 'add', path: '/list/x' },
      "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    [
      { op: 'remove', path: '/list/x' },
      'error in remove for path: \'/list/x\': strconv.Atoi: parsing "x": invalid syntax',
    ],
  ] as const) {
    test(`says "${message}"`, () => {
      assert.throws(() => patched(operation), { message });
    });
  }

  test('adds null when the value is missing', () => {
    assert.equal((patched({ op: 'add', path: '/x' }) as JsonObject)['x'], null);
  });

  test('treats a missing member as null in a test', () => {
    assert.doesNotThrow(() => patched({ op: 'test', path: '/nowhere' }, { op: 'test', path: '/none', value: null }));
  });

  test('reads ~1 as a slash and ~0 as a tilde', () => {
    const result = patched({ op: 'remove', path: '/labels/a~1b' }, { op: 'remove', path: '/labels/c~0d' });
    assert.deepEqual((result as JsonObject)['labels'], {});
  });

  test('ignores everything before the first slash', () => {
    assert.equal((patched({ op: 'add', path: 'what/kind', value: 'x' }) as JsonObject)['kind'], 'x');
  });

  test('compares objects without regard to order, and numbers as they were written', () => {
    const numbers = { one: 1, float: new JsonFloat(1), big: 9007199254740993n, object: { a: 1, b: 2 } };
    const passes = (path: string, value: JsonValue) => applyJsonPatch(numbers, [{ op: 'test', path, value }]);
    assert.doesNotThrow(() => passes('/object', { b: 2, a: 1 }));
    assert.doesNotThrow(() => passes('/big', 9007199254740993n));
    assert.doesNotThrow(() => passes('/float', new JsonFloat(1)));
    assert.throws(() => passes('/one', new JsonFloat(1)), inapplicable);
    assert.throws(() => passes('/float', 1), inapplicable);
  });

  test('keeps a copy apart from its source', () => {
    const result = patched(
      { op: 'add', path: '/labels/x', value: 'x' },
      { op: 'copy', from: '/labels', path: '/copied' },
      { op: 'remove', path: '/labels/x' },
    ) as JsonObject;
    assert.deepEqual(Object.keys(result['copied'] as JsonObject), ['a/b', 'c~d', 'x']);
    assert.deepEqual(Object.keys(result['labels'] as JsonObject), ['a/b', 'c~d']);
  });

  test('limits the bytes that copies add', () => {
    const limits = { maxOperations: 10, maxCopiedBytes: 20 };
    const copies = [1, 2, 3].map((n) => ({ op: 'copy', from: '/list', path: `/${n}` }));
    assert.throws(
      () => applyJsonPatch({ list: ['<'] }, copies, limits),
      /the accumulated size increase of copy is 30, exceeding the limit 20/,
    );
  });

  test('refuses more than ten thousand operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/none' }));
    assert.throws(() => applyJsonPatch(document, operations), {
      fault: 'too-large',
      message: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  test('treats __proto__ and constructor as ordinary keys', () => {
    const result = applyJsonPatch({ data: {} }, [
      { op: 'add', path: '/data/__proto__', value: { polluted: true } },
      { op: 'add', path: '/data/__proto__/inner', value: 1 },
      { op: 'test', path: '/data/constructor' },
    ]);
    assert.equal(JSON.stringify(result), '{"data":{"__proto__":{"inner":1,"polluted":true}}}');
    assert.equal(({} as JsonObject)['polluted'], undefined);
  });

  test('refuses a patch beyond the maximum depth', () => {
    const grow = Array.from({ length: 2000 }, (_, depth) => ({ op: 'add', path: '/a'.repeat(depth + 1), value: {} }));
    assert.throws(() => applyJsonPatch({}, grow), { fault: 'malformed', message: 'exceeded max depth' });
  });

  test('sorts only the keys of objects on the path', () => {
    const result = applyJsonPatch({ z: { b: 1, a: 2 }, y: { b: 1, a: 2 } }, [{ op: 'add', path: '/y/c', value: 3 }]);
    assert.equal(JSON.stringify(result), '{"y":{"a":2,"b":1,"c":3},"z":{"b":1,"a":2}}');
  });

  test('does not modify its input and shares unchanged parts', () => {
    const input = { touched: { list: [1] }, other: {} };
    const before = JSON.stringify(input);
    const result = applyJsonPatch(input, [{ op: 'add', path: '/touched/list/-', value: 2 }]) as JsonObject;
    assert.equal(JSON.stringify(input), before);
    assert.equal(result['other'], input.other);
  });

  test('applying a difference yields the target', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyJson), fc.dictionary(fc.string(), anyJson), (from, to) => {
        assert.deepEqual(applyJsonPatch(from, difference(from, to, '')), { ...to });
      }),
    );
  });

  test('any operations yield a result or a PatchError', () => {
    const path = fc.oneof(fc.constantFrom('/list/0', '/labels/x', '/list/-1', '', '/list'), fc.string());
    const op = fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'nope');
    const operation = fc.record({ op, path, from: path, value: anyJson }, { requiredKeys: ['op'] });
    fc.assert(
      fc.property(fc.array(operation), (operations) => {
        const before = JSON.stringify(document);
        try {
          applyJsonPatch(document, operations);
        } catch (error) {
          assert.ok(error instanceof PatchError);
        }
        assert.equal(JSON.stringify(document), before);
      }),
    );
  });
});

describe('decodeJsonPatch', () => {
  test('accepts null as a patch without operations', () => {
    assert.deepEqual(decodeJsonPatch(null, true), []);
  });

  for (const [patch, strict, message] of [
    [{}, true, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    [{}, false, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
    ['x', true, 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [[1], true, 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [[[]], false, 'json: cannot unmarshal array into Go value of type jsonpatch.Operation'],
    [
      [{ op: 1, path: '/a' }],
      true,
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
  ] as const) {
    test(`answers ${JSON.stringify(patch)} ${strict ? 'strictly' : 'leniently'} with "${message}"`, () => {
      assert.throws(() => decodeJsonPatch(patch as unknown as JsonValue, strict), { fault: 'malformed', message });
    });
  }

  test('accepts members of a wrong type if it is lenient', () => {
    const operations = decodeJsonPatch([{ op: 1, path: '/a' }, null], false);
    assert.deepEqual(operations, [{ path: '/a' }, {}]);
  });

  test('lists unknown fields of operations', () => {
    assert.deepEqual(unknownJsonPatchFields([{ op: 'test', foo: 1 }, { __proto__x: 1 }]), [
      'unknown field "[0].foo"',
      'unknown field "[1].__proto__x"',
    ]);
  });
});

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

/** A simple difference: members one by one, everything else replaced. */
function difference(from: JsonObject, to: JsonObject, path: string): JsonPatchOperation[] {
  const at = (key: string) => `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const removed = Object.keys(from).filter((key) => !Object.hasOwn(to, key));
  const removals = removed.map((key) => ({ op: 'remove', path: at(key) }));
  const additions = Object.keys(to).map((key) => ({ op: 'add', path: at(key), value: to[key] ?? null }));
  return [...removals, ...additions];
}
