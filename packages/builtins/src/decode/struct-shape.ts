import { isJsonObject, schemaCollectionKeywords, type JsonObject, type JsonValue } from '@flotilla/kube';
import { pointee, type GoType } from '../table/go-type.ts';
import type { Field, StructType } from '../table/struct-type.ts';
import type { Omission, ValueReader } from './value-reader.ts';

interface FieldShape {
  readonly field: Field;
  readonly reader: ValueReader;
  readonly omits: Omission;
}

/** The fields of a struct and how Go writes them, for JSON and protobuf. */
export class StructShape {
  readonly fields: readonly FieldShape[];

  constructor(type: StructType, readerOf: (type: GoType) => ValueReader) {
    this.fields = type.fields.map((field) =>
      isKeptEmpty(type, field) ? keptEmpty(field, readerOf(field.type)) : shapeOf(field, readerOf(field.type)),
    );
  }

  /**
   * The object with these values, indexed by field. Checking a map for emptiness costs as much as listing its keys, so
   * the reader says whether there can be an empty one.
   */
  assemble(values: readonly (JsonValue | undefined)[], mayHoldEmpty = true): JsonObject {
    const object: JsonObject = {};
    for (let i = 0; i < this.fields.length; i++) {
      const shape = this.fields[i];
      if (shape === undefined) continue;
      const value = values[i];
      if (value === undefined) {
        if (shape.omits === 'nothing') object[shape.field.name] = shape.reader.zero();
      } else if (!isOmitted(value, shape.omits, mayHoldEmpty)) {
        object[shape.field.name] = value;
      }
    }
    return object;
  }
}

function shapeOf(field: Field, reader: ValueReader): FieldShape {
  // A zero time is written as null, so omitting nil is what `omitzero` means for it. No other type has the tag.
  const omits = field.omitZero ? 'nil' : field.omitEmpty ? reader.omits : 'nothing';
  return { field, reader, omits };
}

function keptEmpty(field: Field, reader: ValueReader): FieldShape {
  const isMap = pointee(field.type).kind === 'map';
  const isEmpty = (value: JsonValue): boolean =>
    isMap ? isJsonObject(value) && isEmptyContainer(value) : Array.isArray(value) && value.length === 0;
  const read: ValueReader['read'] = (value, state) => (isEmpty(value) ? (isMap ? {} : []) : reader.read(value, state));
  const omits = field.omitEmpty ? 'nil' : 'nothing';
  return { field, reader: { omits, read, zero: () => reader.zero() }, omits };
}

function isOmitted(value: JsonValue, omits: Omission, mayHoldEmpty: boolean): boolean {
  switch (omits) {
    case 'nothing':
      return false;
    case 'nil':
      return value === null;
    case 'zero':
      return value === '' || value === 0 || value === false;
    case 'empty':
      return value === null || value === '' || (mayHoldEmpty && isEmptyContainer(value));
  }
}

function isEmptyContainer(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value as JsonObject) return false;
  return true;
}

/**
 * Lists and maps, by struct and field, for which Kubernetes' validation distinguishes empty from absent. The store does
 * not, so these kinds refuse an empty one or turn it into none.
 */
const keptEmptyFields: ReadonlySet<string> = new Set([
  // Absent policies mean the default ones; an empty list is an error.
  'autoscaling/v2 HPAScalingRules.policies',
  // Errors print these as the user sent them.
  'batch/v1 PodFailurePolicyOnExitCodesRequirement.values',
  'resource.k8s.io/v1 DeviceClaim.requests',
  'v1 PodSpec.containers',
  ...schemaCollectionKeywords.map((keyword) => `apiextensions.k8s.io/v1 JSONSchemaProps.${keyword}`),
]);

function isKeptEmpty({ apiVersion, name }: StructType, field: Field): boolean {
  return keptEmptyFields.has(`${apiVersion} ${name}.${field.name}`);
}
