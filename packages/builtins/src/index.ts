export { unknownFieldText, type DecodeProblems } from './decode/decode-problems.ts';
export { decodeTyped, emptyObject, type Decoded, type DecodeOptions } from './decode/decode-typed.ts';
export type { Cell, ColumnDefinition, Columns, KindBehavior, SubresourceBehavior, WriteContext } from './kind.ts';
export type { GoType } from './table/go-type.ts';
export type { Field, StructType } from './table/struct-type.ts';
export { typeOfKind } from './table/type-table.ts';
