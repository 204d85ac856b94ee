/** Package `member` also replays the results of Kubernetes' code for some ninety triples of real kinds. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { PatchError } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';
import { podSpec } from './pod-schema.testing.ts';
import { createThreeWayStrategicPatch, type ThreeWaySides } from './three-way-patch.ts';

const patchOf = (original: JsonObject, modified: JsonObject, current: JsonObject) =>
  createThreeWayStrategicPatch({ original, modified, current }, podSpec);

describe('a three-way strategic patch', () => {
  test('is empty if nothing differs', () => {
    const spec = { containers: [{ name: 'x', image: 'x' }], nodeSelector: { disk: 'ssd' } };
    assert.deepEqual(patchOf(spec, spec, { ...spec, tolerations: [{ key: 'k' }] }), {});
  });

  test('removes dropped fields and keeps those of others', () => {
    const patch = patchOf(
      { nodeSelector: { a: '1', b: '1' } },
      { nodeSelector: { a: '1' } },
      { nodeSelector: { z: '1' } },
    );
    assert.deepEqual(patch, { nodeSelector: { a: '1', b: null } });
  });

  test('adds the order of changed elements', () => {
    const patch = patchOf(
      { containers: [{ name: 'x' }, { name: 'y' }] },
      { containers: [{ name: 'z' }, { name: 'x', image: 'new' }] },
      { containers: [{ name: 'x' }, { name: 'injected' }, { name: 'y' }] },
    );
    assert.deepEqual(patch, {
      '$setElementOrder/containers': [{ name: 'z' }, { name: 'x' }],
      containers: [{ name: 'z' }, { name: 'x', image: 'new' }, { name: 'y', $patch: 'delete' }],
    });
  });

  test('deletes scalars of a merged list through a parallel list', () => {
    const patch = patchOf({ finalizers: ['a', 'b', 'a'] }, { finalizers: ['b', 'c'] }, { finalizers: ['a', 'b', 'z'] });
    assert.deepEqual(patch, {
      '$deleteFromPrimitiveList/finalizers': ['a'],
      '$setElementOrder/finalizers': ['b', 'c'],
      finalizers: ['c'],
    });
  });

  test('adds $retainKeys for unions', () => {
    const patch = patchOf(
      {},
      { strategy: { type: 'Recreate' } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: {} } },
    );
    assert.deepEqual(patch, { strategy: { type: 'Recreate', $retainKeys: ['type'] } });
  });

  test('replaces atomic lists and objects', () => {
    const patch = patchOf(
      {},
      { tolerations: [{ key: 'a' }], affinity: { new: true } },
      { tolerations: [], affinity: {} },
    );
    assert.deepEqual(patch, { tolerations: [{ key: 'a' }], affinity: { new: true } });
  });

  test('fails if elements have no key or a field is unknown', () => {
    const keyless = () => patchOf({}, { containers: [{ image: 'x' }] }, { containers: [{ name: 'x' }] });
    assert.throws(keyless, new PatchError('unexpected', 'map: map[image:x] does not contain declared merge key: name'));
    const unknown = () => patchOf({}, { weather: { wind: 1 } }, { weather: { wind: 2 } });
    assert.throws(unknown, /unable to find api field in struct PodSpec for the json field "weather"/);
  });

  test('accepts fields named like properties of Object', () => {
    const selector = (text: string) => ({ nodeSelector: JSON.parse(text) as JsonObject });
    const patch = patchOf(
      selector('{"constructor":"1"}'),
      selector('{"__proto__":"1"}'),
      selector('{"constructor":"1"}'),
    );
    assert.equal(JSON.stringify(patch), '{"nodeSelector":{"constructor":null,"__proto__":"1"}}');
  });
});

const word = fc.constantFrom('a', 'b', 'c', 'd');
const named = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.uniqueArray(fc.record({ name: word, ...shape }, { requiredKeys: ['name'], noNullPrototype: true }), {
    selector: ({ name }) => name,
  });
const specs = fc.record(
  {
    containers: named({ image: word, args: fc.array(word, { maxLength: 3 }), env: named({ value: word }) }),
    volumes: named({ emptyDir: fc.constant({}) }),
    tolerations: fc.array(fc.record({ key: word }, { noNullPrototype: true }), { maxLength: 2 }),
    nodeSelector: fc.dictionary(word, word, { noNullPrototype: true }),
    strategy: fc.record({ type: word, rollingUpdate: word }, { requiredKeys: [], noNullPrototype: true }),
    affinity: fc.dictionary(word, word, { noNullPrototype: true }),
    finalizers: fc.uniqueArray(word),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

describe('a three-way strategic patch, whatever the three are,', () => {
  test('yields all applied fields, elements in order, and no dropped field', () => {
    fc.assert(
      fc.property(specs, specs, specs, (original, modified, current) => {
        const result = applied(current, patchOf(original, modified, current));
        assertContains(result, modified, podSpec);
        assertLacksDropped(result, { original, modified, current }, podSpec);
      }),
      { numRuns: 500 },
    );
  });

  test('applying the patch again changes nothing', () => {
    fc.assert(
      fc.property(specs, specs, specs, (original, modified, current) => {
        const once = applied(current, patchOf(original, modified, current));
        const twice = applied(once, patchOf(modified, modified, once));
        assert.deepEqual(twice, once);
      }),
      { numRuns: 500 },
    );
  });
});

/** The object that a server stores: decoding drops the nulls and directives that the patch left. */
function applied(current: JsonObject, patch: JsonObject): JsonObject {
  const merged = applyStrategicMergePatch(current, patch, podSpec);
  return JSON.parse(
    JSON.stringify(merged, (key, value: unknown) => (key.startsWith('$') ? undefined : (value ?? undefined))),
  ) as JsonObject;
}

type Merged = 'by key' | 'as a set' | 'not';

function mergedHow(schema: PatchSchema | undefined, key: string): Merged {
  const field = schema?.field(key);
  if (field?.strategies.includes('merge') !== true) return 'not';
  return field.mergeKey === undefined ? 'as a set' : 'by key';
}

type Named = JsonObject & { name: string };

const elements = (value: JsonValue | undefined) => (Array.isArray(value) ? (value as Named[]) : []);

function assertContains(result: JsonObject, wanted: JsonObject, schema: PatchSchema | undefined): void {
  for (const [key, value = null] of Object.entries(wanted)) {
    const got = result[key] ?? null;
    const inner = schema?.field(key)?.schema;
    if (mergedHow(schema, key) === 'by key') {
      const names = new Set(elements(value).map(({ name }) => name));
      const same = elements(got).filter(({ name }) => names.has(name));
      assert.deepEqual(
        same.map(({ name }) => name),
        [...names],
      );
      elements(value).forEach((element, place) => assertContains(same[place] ?? {}, element, inner));
    } else if (mergedHow(schema, key) === 'as a set') {
      assert.deepEqual(new Set(value as string[]).difference(new Set(got as string[])), new Set());
    } else if (isJsonObject(value) && isJsonObject(got)) {
      assertContains(got, value, inner);
    } else {
      assert.deepEqual(got, value);
    }
  }
}

/**
 * Skips elements that the current list has lost. Kubernetes adds them again with everything in the patch, even the
 * deletions inside them.
 */
function assertLacksDropped(
  result: JsonObject,
  { original, modified, current }: ThreeWaySides,
  schema?: PatchSchema,
): void {
  for (const [key, before] of Object.entries(original)) {
    const [after, live, got] = [modified[key], current[key], result[key]];
    const inner = schema?.field(key)?.schema;
    if (after === undefined) {
      assert.equal(Object.hasOwn(result, key), false, key);
    } else if (mergedHow(schema, key) === 'by key') {
      for (const element of elements(before)) {
        const match = (list: JsonValue | undefined) => elements(list).find(({ name }) => name === element.name);
        const [kept, known]: (Named | undefined)[] = [match(after), match(live)];
        const there: Named | undefined = match(got);
        if (kept === undefined) assert.equal(there, undefined, key);
        else if (known !== undefined) {
          assertLacksDropped(there ?? {}, { original: element, modified: kept, current: known }, inner);
        }
      }
    } else if (mergedHow(schema, key) === 'as a set') {
      const dropped = (before as string[]).filter((one) => !(after as string[]).includes(one));
      assert.deepEqual(
        (got as string[]).filter((one) => dropped.includes(one)),
        [],
      );
    } else if ([before, after, live, got].every(isJsonObject)) {
      const sides = { original: before, modified: after, current: live } as ThreeWaySides;
      assertLacksDropped(got as JsonObject, sides, inner);
    }
  }
}
