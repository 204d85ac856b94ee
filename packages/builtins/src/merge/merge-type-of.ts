/** The field table as merge types of server-side apply, as kube-apiserver builds them from its OpenAPI documents. */
import { deduced, untypedAtomic, type ListMerge, type MergeField, type MergeType } from '@flotilla/kube';
import { pointee, type GoType, type WellKnownType } from '../table/go-type.ts';
import { fieldDefault } from '../table/openapi-default.ts';
import type { Field, StructType } from '../table/struct-type.ts';

const mergeTypes = new WeakMap<GoType, MergeType>();

export function mergeTypeOf(type: StructType): MergeType {
  return namedMergeType(type);
}

function namedMergeType(type: GoType): MergeType {
  const known = mergeTypes.get(type);
  if (known !== undefined) return known;
  const made = compile(type);
  mergeTypes.set(type, made);
  return made;
}

function compile(type: GoType): MergeType {
  switch (type.kind) {
    case 'struct':
      return structMerge(type);
    case 'pointer':
      return namedMergeType(type.element);
    case 'list':
      return { list: { relationship: 'atomic', element: () => namedMergeType(type.element) } };
    case 'map':
      return { map: { relationship: 'separable', field: noField, element: () => namedMergeType(type.value) } };
    case 'string':
    case 'bytes':
      return { scalar: 'string' };
    case 'bool':
      return { scalar: 'boolean' };
    case 'int32':
    case 'int64':
    case 'float64':
      return { scalar: 'numeric' };
    case 'any':
      return untyped;
    case 'well-known':
      return wellKnownMerge(type);
  }
}

const noField = (): undefined => undefined;

/** A schema without a type accepts anything: lists are atomic, maps are granular. */
const untyped: MergeType = deduced;

function wellKnownMerge({ form, name }: WellKnownType): MergeType {
  switch (form) {
    case 'raw':
      return name === 'FieldsV1'
        ? { map: { relationship: 'separable', field: noField, element: () => deduced } }
        : untypedAtomic;
    case 'quantity':
    case 'time':
    case 'micro-time':
      return { scalar: 'untyped' };
    case 'duration':
      return { scalar: 'string' };
    case 'int-or-string':
    case 'json':
    case 'schema-or-array':
    case 'schema-or-bool':
    case 'schema-or-strings':
      return untyped;
  }
}

function structMerge(type: StructType): MergeType {
  let fields: ReadonlyMap<string, MergeField> | undefined;
  return {
    map: {
      relationship: type.mapType === 'atomic' ? 'atomic' : 'separable',
      field: (name) => (fields ??= mergeFieldsOf(type)).get(name),
      // OpenAPI treats an object without properties as one that may have any.
      ...(type.fields.length === 0 && { element: () => deduced }),
    },
  };
}

function mergeFieldsOf(type: StructType): ReadonlyMap<string, MergeField> {
  return new Map(type.fields.map((field) => [field.name, mergeFieldOf(field)]));
}

function mergeFieldOf(field: Field): MergeField {
  const own = withFieldMarkers(field);
  const value = fieldDefault(field);
  return { type: () => own, ...(value !== undefined && typeof value !== 'object' && { default: value }) };
}

/** The markers for merging belong to the field, not to its type. */
function withFieldMarkers(field: Field): MergeType {
  const target = pointee(field.type);
  if (target.kind === 'list') return { list: listMerge(field, target.element) };
  const plain = namedMergeType(target);
  if (field.mapType === undefined || plain.map === undefined) return plain;
  return { ...plain, map: { ...plain.map, relationship: field.mapType === 'atomic' ? 'atomic' : 'separable' } };
}

function listMerge({ listType, listMapKeys, patchStrategies, patchMergeKey }: Field, element: GoType): ListMerge {
  const elementType = (): MergeType => namedMergeType(element);
  const keyed = (keys: readonly string[]): ListMerge => ({ relationship: 'associative', keys, element: elementType });
  const set: ListMerge = { relationship: 'associative', element: elementType };
  if (listType === 'map') return keyed(listMapKeys ?? []);
  if (listType === 'set') return set;
  if (listType === undefined && patchStrategies.includes('merge')) {
    return patchMergeKey === undefined ? set : keyed([patchMergeKey]);
  }
  return { relationship: 'atomic', element: elementType };
}
