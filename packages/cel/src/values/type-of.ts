import { types, type CelType } from '../type.ts';
import { CelDuration, CelList, CelMap, CelOptional, CelStruct, CelTimestamp, CelTypeValue, CelUint } from '../value.ts';
import type { CelValue } from '../value.ts';

const listType = types.list(types.dyn);
const mapType = types.map(types.dyn, types.dyn);
const longNames: ReadonlyMap<string, string> = new Map([
  ['null', 'null_type'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
]);
const optionalType = types.optional(types.dyn);

/** The run-time type of a value. Lists and maps have no element types. */
export function typeOf(value: CelValue): CelType {
  if (typeof value === 'string') return types.string;
  if (typeof value === 'boolean') return types.bool;
  if (typeof value === 'bigint') return types.int;
  if (typeof value === 'number') return types.double;
  return value === null ? types.null : typeOfObject(value);
}

function typeOfObject(value: Exclude<CelValue, null | boolean | bigint | number | string>): CelType {
  if (value instanceof CelList) return listType;
  if (value instanceof CelMap) return mapType;
  if (value instanceof CelUint) return types.uint;
  if (value instanceof CelTimestamp) return types.timestamp;
  if (value instanceof CelDuration) return types.duration;
  if (value instanceof CelOptional) return optionalType;
  if (value instanceof CelTypeValue) return types.type;
  if (value instanceof Uint8Array) return types.bytes;
  if (value instanceof CelStruct) return types.object(value.typeName, () => undefined);
  return types.opaque(value.typeName);
}

/** The name of `type(x)` in messages, without parameters. */
export function typeName(type: CelType): string {
  if (type.kind === 'object' || type.kind === 'opaque' || type.kind === 'param') return type.name;
  return longNames.get(type.kind) ?? type.kind;
}

/** Run-time types are compared by name. */
export function sameType(left: CelType, right: CelType): boolean {
  return typeName(left) === typeName(right);
}
