import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import { pointee, type GoType, type WellKnownForm } from '../table/go-type.ts';
import { kindsOf, knownApiVersions, typeOfKind } from '../table/type-table.ts';
import { decodeTyped } from './decode-typed.ts';

/** Types recurse: a field below this depth is left out. */
const maxDepth = 9;

function sampleOf(type: GoType, depth = 0): JsonValue {
  const target = pointee(type);
  switch (target.kind) {
    case 'struct':
      return Object.fromEntries(
        target.fields
          .filter(({ type }) => depth < maxDepth || pointee(type).kind !== 'struct')
          .map(({ name, type }) => [name, sampleOf(type, depth + 1)]),
      );
    case 'list':
      return depth < maxDepth ? [sampleOf(target.element, depth + 1)] : [];
    case 'map':
      return depth < maxDepth ? { b: sampleOf(target.value, depth + 1), a: sampleOf(target.value, depth + 1) } : {};
    case 'well-known':
      return wellKnownSamples[target.form]();
    case 'any':
      return [{ a: [{}] }];
    case 'string':
      return 'x';
    case 'bytes':
      return [1];
    case 'bool':
      return true;
    case 'int32':
    case 'int64':
    case 'float64':
      return 1;
  }
}

const schema = (): JsonObject => ({ type: 'object', properties: { a: { default: [{}] } }, required: [], not: {} });

const wellKnownSamples: Readonly<Record<WellKnownForm, () => JsonValue>> = {
  duration: () => '1s',
  'int-or-string': () => 1,
  json: () => ({ b: [{}], a: {} }),
  'micro-time': () => '2026-01-01T00:00:00.000000Z',
  quantity: () => '1',
  raw: () => ({ b: [{}], a: {} }),
  'schema-or-array': () => [schema()],
  'schema-or-bool': schema,
  'schema-or-strings': () => ['x'],
  time: () => '2026-01-01T00:00:00Z',
};

function containersIn(value: JsonValue, found = new Set<object>()): ReadonlySet<object> {
  if (!Array.isArray(value) && !isJsonObject(value)) return found;
  found.add(value);
  for (const child of Object.values(value)) containersIn(child ?? null, found);
  return found;
}

function frozen<T extends JsonValue>(value: T): T {
  for (const container of containersIn(value)) Object.freeze(container);
  return value;
}

// A client in the same process goes on using the object that it sent.
test('no decoder of a built-in kind keeps or edits an object of its input', () => {
  let compared = 0;
  for (const apiVersion of knownApiVersions()) {
    const [version = '', group = ''] = apiVersion.split('/').toReversed();
    for (const kind of kindsOf(apiVersion)) {
      const type = typeOfKind({ group, version, kind });
      assert.ok(type);
      const sent = frozen(sampleOf(type));
      const parts = containersIn(sent);
      for (const options of [{}, { keepsEmpty: true }, { isConverted: true }]) {
        const { object, problems } = decodeTyped(type, sent, options);
        assert.equal(problems.error, undefined, `${apiVersion} ${kind}`);
        for (const container of containersIn(object)) assert.ok(!parts.has(container), `${apiVersion} ${kind}`);
        compared += containersIn(object).size;
      }
    }
  }
  assert.ok(compared > 10_000);
});
