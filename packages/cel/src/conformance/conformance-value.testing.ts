/** Values and types of the published cases, in protobuf's JSON form. */
import { types, type CelType } from '../type.ts';
import { CelDuration, CelList, CelMap, CelTimestamp, CelTypeValue, CelUint, type CelValue } from '../value.ts';
import { equals } from '../values/equality.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap } from '../values/map.ts';
import { parseDuration, parseTimestamp } from '../values/time-text.ts';
import { sameType, typeName, typeOf } from '../values/type-of.ts';

export interface ValueJson {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly listValue?: { readonly values?: readonly ValueJson[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ValueJson; readonly value: ValueJson }[] };
  readonly typeValue?: string;
  readonly objectValue?: { readonly '@type': string; readonly value?: unknown };
}

/** Undefined for a protobuf message, which this implementation does not support. */
export function valueFrom(json: ValueJson): CelValue | undefined {
  if ('nullValue' in json) return null;
  if (json.boolValue !== undefined) return json.boolValue;
  if (json.int64Value !== undefined) return BigInt(json.int64Value);
  if (json.uint64Value !== undefined) return new CelUint(BigInt(json.uint64Value));
  if (json.doubleValue !== undefined) return Number(json.doubleValue);
  if (json.stringValue !== undefined) return json.stringValue;
  if (json.bytesValue !== undefined) return new Uint8Array(Buffer.from(json.bytesValue, 'base64'));
  if (json.listValue !== undefined) return listFrom(json.listValue.values ?? []);
  if (json.mapValue !== undefined) return mapFrom(json.mapValue.entries ?? []);
  if (json.typeValue !== undefined) return new CelTypeValue(types.opaque(json.typeValue));
  return json.objectValue && timeFrom(json.objectValue);
}

function listFrom(elements: readonly ValueJson[]): CelValue | undefined {
  const values = elements.map(valueFrom);
  return values.every((value) => value !== undefined) ? new ArrayList(values) : undefined;
}

function mapFrom(entries: readonly { readonly key: ValueJson; readonly value: ValueJson }[]): CelValue | undefined {
  const map = new EntryMap();
  for (const entry of entries) {
    const key = valueFrom(entry.key);
    const value = valueFrom(entry.value);
    if (key === undefined || value === undefined) return undefined;
    map.set(key, value);
  }
  return map;
}

/** Messages that are CEL values. */
function timeFrom({
  '@type': type,
  value,
}: {
  readonly '@type': string;
  readonly value?: unknown;
}): CelValue | undefined {
  const read = type.endsWith('.Timestamp') ? parseTimestamp : type.endsWith('.Duration') ? parseDuration : undefined;
  const time = typeof value === 'string' ? read?.(value) : undefined;
  return time instanceof CelTimestamp || time instanceof CelDuration ? time : undefined;
}

/** Stricter than `==`: types must match, and NaN equals NaN. */
export function isSameValue(expected: CelValue, actual: CelValue): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(actual);
  if (expected instanceof CelTypeValue) return actual instanceof CelTypeValue && sameType(expected.type, actual.type);
  if (typeName(typeOf(expected)) !== typeName(typeOf(actual))) return false;
  if (expected instanceof CelList && actual instanceof CelList) return isSameList(expected, actual);
  if (expected instanceof CelMap && actual instanceof CelMap) return isSameMap(expected, actual);
  return equals(expected, actual) === true;
}

function isSameList(expected: CelList, actual: CelList): boolean {
  if (expected.size !== actual.size) return false;
  for (let i = 0; i < expected.size; i++) {
    if (!isSameValue(expected.at(i) as CelValue, actual.at(i) as CelValue)) return false;
  }
  return true;
}

function isSameMap(expected: CelMap, actual: CelMap): boolean {
  if (expected.size !== actual.size) return false;
  for (const key of expected.keys()) {
    const value = actual.get(key);
    if (value === undefined || !isSameValue(expected.get(key) as CelValue, value as CelValue)) return false;
  }
  return true;
}

export interface TypeJson {
  readonly null?: null;
  readonly dyn?: unknown;
  readonly primitive?: string;
  readonly wellKnown?: string;
  readonly wrapper?: string;
  readonly messageType?: string;
  readonly type?: TypeJson | Record<string, never>;
  readonly typeParam?: string;
  readonly listType?: { readonly elemType?: TypeJson };
  readonly mapType?: { readonly keyType?: TypeJson; readonly valueType?: TypeJson };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly TypeJson[] };
}

const simpleTypes: Readonly<Record<string, CelType>> = {
  BOOL: types.bool,
  BYTES: types.bytes,
  DOUBLE: types.double,
  DURATION: types.duration,
  INT64: types.int,
  STRING: types.string,
  TIMESTAMP: types.timestamp,
  UINT64: types.uint,
};

/** Undefined for the type of a message, or one that may be. */
export function typeFrom(json: TypeJson | undefined): CelType | undefined {
  if (json === undefined || 'dyn' in json) return types.dyn;
  if ('null' in json) return types.null;
  if (json.typeParam !== undefined) return types.param(json.typeParam);
  if (json.listType) return composed([json.listType.elemType], ([element]) => types.list(element as CelType));
  if (json.mapType) {
    const { keyType, valueType } = json.mapType;
    return composed([keyType, valueType], ([key, value]) => types.map(key as CelType, value as CelType));
  }
  if (json.abstractType) {
    const { name, parameterTypes = [] } = json.abstractType;
    return composed(parameterTypes, (parameters) => types.opaque(name, ...parameters));
  }
  if (json.type) return composed([json.type], ([of]) => ({ kind: 'type', of: of as CelType }));
  return simpleTypes[json.primitive ?? json.wellKnown ?? ''];
}

function composed(
  parts: readonly (TypeJson | undefined)[],
  compose: (parts: readonly CelType[]) => CelType,
): CelType | undefined {
  const known = parts.map(typeFrom);
  return known.every((part) => part !== undefined) ? compose(known) : undefined;
}
