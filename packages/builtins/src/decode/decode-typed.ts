import type { JsonObject, JsonValue } from '@flotilla/kube';
import type { GoType } from '../table/go-type.ts';
import type { StructType } from '../table/struct-type.ts';
import { structType } from '../table/type-table.ts';
import { ListReader, MapReader, PointerReader } from './container-readers.ts';
import { DecodeState, type DecodeProblems } from './decode-problems.ts';
import { copyOf } from './raw-copy.ts';
import { BytesReader, scalarReader } from './scalar-readers.ts';
import { StructReader } from './struct-reader.ts';
import type { ValueReader } from './value-reader.ts';
import { wellKnownReader } from './well-known-readers.ts';

export interface DecodeOptions {
  /**
   * Keep empty lists and maps that are always written as they are. Kubernetes does where it stores JSON
   * (CustomResourceDefinition, APIService); elsewhere they come back from the store as null.
   */
  readonly keepsEmpty?: boolean;
}

export interface Decoded {
  /** A fresh object in wire form. */
  readonly object: JsonObject;
  readonly problems: DecodeProblems;
}

/**
 * What Go would write after reading the value into the type: fields in struct order, empty ones left out as their tags
 * say, times, quantities and bytes in their canonical spelling, unknown fields dropped.
 */
export function decodeTyped(type: StructType, value: JsonValue, { keepsEmpty = false }: DecodeOptions = {}): Decoded {
  const state = new DecodeState(keepsEmpty);
  const object = readerOf(type).read(value, state) as JsonObject;
  return { object, problems: state.problems };
}

/** What Go writes for a struct that nobody filled. */
export function emptyObject(type: StructType): JsonObject {
  return readerOf(type).zero() as JsonObject;
}

const readers = new WeakMap<GoType, ValueReader>();

function readerOf(type: GoType): ValueReader {
  const known = readers.get(type);
  if (known !== undefined) return known;
  const reader = compile(type);
  readers.set(type, reader);
  return reader;
}

function compile(type: GoType): ValueReader {
  switch (type.kind) {
    case 'struct':
      return new StructReader(type, readerOf);
    case 'pointer':
      return new PointerReader(readerOf(type.element));
    case 'list':
      return new ListReader(type.goName, readerOf(type.element));
    case 'map':
      return new MapReader(type.goName, type.value.kind === 'bytes' ? mapBytes : readerOf(type.value));
    case 'bytes':
      return new BytesReader(type.goName, null);
    case 'well-known':
      return wellKnownReader(type.form, () => readerOf(structType('apiextensions/v1', 'JSONSchemaProps')));
    case 'any':
      return anyReader;
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return scalarReader(type);
  }
}

/** Protobuf has no nil among the values of a map. */
const mapBytes = new BytesReader('[]uint8', '');

const anyReader: ValueReader = { omits: 'nil', read: copyOf, zero: () => null };
