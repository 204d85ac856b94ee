import type { StructType } from './struct-type.ts';

/**
 * What a field of a built-in kind holds. Go's words are kept, because they decide how a value is read, what it is when it is
 * absent, and what an error calls it: `goName` is how Go prints the type.
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
  /** In protobuf this list is a message with the elements as field 1. */
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

/** Types that read and write their own JSON. */
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

/** The type behind any pointers. */
export function pointee(type: GoType): Exclude<GoType, PointerType> {
  return type.kind === 'pointer' ? pointee(type.element) : type;
}
