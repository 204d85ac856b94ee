import { JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { GoType } from '../../packages/builtins/src/table/go-type.ts';
import type { Field, StructType } from '../../packages/builtins/src/table/struct-type.ts';
import { nastyText, type Chance } from './chance.ts';

const plainKeys = ['a', 'b', 'name', 'metadata', 'labels', 'spec', 'data', 'x-y', 'kubernetes.io/x'];

/** Any JSON, with keys and values that code often does not expect. */
export function randomJson(chance: Chance, depth = 4): JsonValue {
  switch (chance.below(depth > 0 ? 9 : 6)) {
    case 0:
      return null;
    case 1:
      return chance.oneIn(2);
    case 2:
      return chance.of([0, 1, -1, 80, 65_536, 1.5, 2 ** 31, -(2 ** 53)]);
    case 3:
      return chance.of([new JsonFloat(1), 2n ** 62n, 'x']);
    case 4:
      return nastyText(chance);
    case 5:
      return chance.of(['a', 'abc', '100m', '1Gi', '80', '50%', '2020-01-01T00:00:00Z', '10.0.0.1', 'a/b']);
    case 6:
      return chance.list(4, () => randomJson(chance, depth - 1));
    default:
      return randomObject(chance, () => randomJson(chance, depth - 1));
  }
}

export function randomObject(chance: Chance, value: () => JsonValue, keys: readonly string[] = plainKeys): JsonObject {
  const object: JsonObject = {};
  for (let count = chance.below(5); count > 0; count--) {
    put(object, chance.oneIn(8) ? nastyText(chance) : chance.of(keys), value());
  }
  return object;
}

/** Assigns an own property, even for the key `__proto__`. */
function put(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A value that mostly has the type, so that it often passes decoding. */
export function randomOfType(chance: Chance, type: GoType, depth = 8): JsonValue {
  if (chance.oneIn(60)) return randomJson(chance, 1);
  switch (type.kind) {
    case 'struct':
      return randomStruct(chance, type, depth);
    case 'pointer':
      return randomOfType(chance, type.element, depth);
    case 'list':
      return chance.list(depth > 0 ? 3 : 0, () => randomOfType(chance, type.element, depth - 1));
    case 'map':
      return randomObject(chance, () => randomOfType(chance, type.value, depth - 1));
    case 'string':
      return type.enumValues && !chance.oneIn(8) ? chance.of(type.enumValues) : randomText(chance);
    case 'bool':
      return chance.oneIn(2);
    case 'int32':
    case 'int64':
      return chance.of([0, 1, -1, 3, 80, 443, 30_000, 65_535, 65_536, 2 ** 31 - 1]);
    case 'float64':
      return chance.of([0, 0.5, 1.5, -1]);
    case 'bytes':
      return chance.of(['', 'YQ==', 'aGVsbG8=']);
    case 'any':
      return randomJson(chance, 2);
    case 'well-known':
      return wellKnown(chance, type.form);
  }
}

function randomStruct(chance: Chance, type: StructType, depth: number): JsonObject {
  const object: JsonObject = {};
  const isSparse = depth < 3 || chance.oneIn(4);
  for (const field of type.fields) {
    if (depth <= 0 || isLeftOut(chance, field, isSparse)) continue;
    put(object, field.name, randomOfType(chance, field.type, depth - 1));
  }
  return object;
}

function isLeftOut(chance: Chance, { isRequired, name }: Field, isSparse: boolean): boolean {
  if (name === 'metadata' || name === 'spec' || name === 'template') return chance.oneIn(20);
  return isRequired ? chance.oneIn(10) : !chance.oneIn(isSparse ? 6 : 3);
}

function randomText(chance: Chance): string {
  const usual = [
    'a',
    'web',
    'nginx:1.2',
    'example.com/x',
    '10.0.0.1',
    '10.0.0.0/8',
    '::1',
    '/data',
    'TCP',
    'Always',
    '5m',
  ];
  return chance.oneIn(5) ? nastyText(chance) : chance.of(usual);
}

function wellKnown(chance: Chance, form: string): JsonValue {
  switch (form) {
    case 'time':
    case 'micro-time':
      return chance.of([
        '2020-01-01T00:00:00Z',
        '2020-01-01T00:00:00.123456Z',
        '0001-01-01T00:00:00Z',
        null,
        'yesterday',
      ]);
    case 'quantity':
      return chance.of(['100m', '1Gi', '0', '-1', '1e3', 5, '1.5', 'x']);
    case 'int-or-string':
      return chance.of([0, 80, '50%', '100%', '-1%', 'http', '', 'x%']);
    case 'duration':
      return chance.of(['1h', '0s', '-1m', 'x']);
    default:
      return randomJson(chance, 3);
  }
}
