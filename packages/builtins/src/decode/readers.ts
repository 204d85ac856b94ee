import { copyJson } from '@flotilla/kube';
import type { GoType } from '../table/go-type.ts';
import type { StructType } from '../table/struct-type.ts';
import { structType } from '../table/type-table.ts';
import { ListReader, MapReader, PointerReader } from './container-readers.ts';
import { BytesReader, scalarReader } from './scalar-readers.ts';
import { StructReader } from './struct-reader.ts';
import type { ValueReader } from './value-reader.ts';
import { wellKnownReader } from './well-known-readers.ts';

const structReaders = new WeakMap<StructType, StructReader>();
const readers = new WeakMap<GoType, ValueReader>();

export function structReaderOf(type: StructType): StructReader {
  const known = structReaders.get(type);
  if (known !== undefined) return known;
  const reader = new StructReader(type, readerOf);
  structReaders.set(type, reader);
  return reader;
}

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
      return structReaderOf(type);
    case 'pointer':
      return new PointerReader(readerOf(type.element));
    case 'list':
      return new ListReader(type.goName, readerOf(type.element));
    case 'map':
      return new MapReader(type.goName, type.value.kind === 'bytes' ? mapBytes : readerOf(type.value));
    case 'bytes':
      return new BytesReader(type.goName, null);
    case 'well-known':
      return wellKnownReader(type.form, () => structReaderOf(structType('apiextensions/v1', 'JSONSchemaProps')));
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

/** A map value in protobuf is never nil. */
const mapBytes = new BytesReader('[]uint8', '');

const anyReader: ValueReader = { omits: 'nil', read: copyJson, zero: () => null };
