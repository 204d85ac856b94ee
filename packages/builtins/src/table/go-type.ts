import type { StructType } from './struct-type.ts';

/**
 * The type of a field of a built-in kind. Go's type decides how a value is decoded, its zero value, and how errors name
 * it: `goName` is how Go prints it.
 */
export type GoType = ScalarType | BytesType | AnyType | ListType | MapType | PointerType | StructType | WellKnownType;

type ScalarKind = 'string' | 'bool' | IntegerKind | 'float64';
export type IntegerKind = 'int32' | 'int64';

export interface ScalarType {
  readonly kind: ScalarKind;
  readonly goName: string;
  /** The values that OpenAPI lists for an enum. */
  readonly enumValues?: readonly string[];
}

/** Base64 in JSON. */
interface BytesType {
  readonly kind: 'bytes';
  readonly goName: string;
}

/** Untyped JSON: the cells of a table. */
interface AnyType {
  readonly kind: 'any';
  readonly goName: string;
}

export interface ListType {
  readonly kind: 'list';
  readonly goName: string;
  readonly element: GoType;
  /** Whether protobuf encodes the list as a message with the elements in field 1. */
  readonly isMessage: boolean;
}

/** Keys are always strings. */
interface MapType {
  readonly kind: 'map';
  readonly goName: string;
  readonly value: GoType;
}

interface PointerType {
  readonly kind: 'pointer';
  readonly goName: string;
  readonly element: GoType;
}

/** Types that implement UnmarshalJSON and MarshalJSON in Go. */
export interface WellKnownType {
  readonly kind: 'well-known';
  readonly goName: string;
  readonly name: string;
  readonly form: WellKnownForm;
  /** The name of its OpenAPI schema. */
  readonly modelName: string;
}

export type WellKnownForm =
  | 'duration'
  | 'int-or-string'
  | 'json'
  | 'micro-time'
  | 'quantity'
  | 'raw'
  | 'schema-or-array'
  | 'schema-or-bool'
  | 'schema-or-strings'
  | 'time';

export function pointee(type: GoType): Exclude<GoType, PointerType> {
  return type.kind === 'pointer' ? pointee(type.element) : type;
}
