/** Looking for a part of a value by its name, key or place. */
import { CelError, CelList, CelMap, CelStruct, CelUint, type CelValue, type Result } from '../value.ts';
import { typeName, typeOf } from '../values/type-of.ts';
import { valueText } from '../values/value-text.ts';

/** Undefined: it is not there. */
export function find(object: CelValue, key: CelValue): Result | undefined {
  if (object instanceof CelStruct) return typeof key === 'string' ? object.get(key) : undefined;
  if (object instanceof CelMap) return object.get(key);
  if (object instanceof CelList) return element(object, key);
  return undefined;
}

export function isPresent(object: CelValue, field: string): Result {
  const value = find(object, field);
  if (value instanceof CelError && object instanceof CelList) return value;
  return value !== undefined;
}

export function missing(key: CelValue, object: CelValue | undefined): CelError {
  const what = object instanceof CelList ? 'index out of bounds' : 'no such key';
  return new CelError(`${what}: ${valueText(key)}`);
}

function element(list: CelList, key: CelValue): Result | undefined {
  const index = typeof key === 'bigint' ? key : wholeIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0n && index < BigInt(list.size) ? list.at(Number(index)) : undefined;
}

function wholeIndex(key: CelValue): bigint | CelError {
  if (key instanceof CelUint) return key.value;
  if (typeof key !== 'number') return new CelError(`unsupported index type '${typeName(typeOf(key))}' in list`);
  return Number.isInteger(key) ? BigInt(key) : new CelError(`unsupported index value ${valueText(key)} in list`);
}
