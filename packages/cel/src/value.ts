import type { CelType } from './type.ts';

/**
 * Run-time values. An int is a bigint, a double a number. Strings are JavaScript's, though CEL counts code points.
 * Lists, maps and structs are abstract, so that adapters can expose other data without copying it.
 */
export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelTimestamp
  | CelDuration
  | CelList
  | CelMap
  | CelStruct
  | CelOptional
  | CelOpaque
  | CelTypeValue;

/** Errors are values: `true || 1/0 > 0` is true, and nothing is thrown. */
export type Result = CelValue | CelError;

export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since 1970 in UTC. */
export class CelTimestamp {
  readonly nanos: bigint;
  /** The offset in its text. It only affects printing. */
  readonly offsetMinutes: number;

  constructor(nanos: bigint, offsetMinutes = 0) {
    this.nanos = nanos;
    this.offsetMinutes = offsetMinutes;
  }
}

export class CelDuration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

export abstract class CelList {
  abstract readonly size: number;
  /** The caller guarantees 0 <= index < size. */
  abstract at(index: number): Result;
  /** Overrides equality by position, for Kubernetes' sets and list-maps. */
  equals?(other: CelList): boolean | CelError;
  /** Overrides `+`. */
  concat?(other: CelList): CelList | CelError;
}

/** Keys are bool, int, uint or string. An int and a uint of the same value are one key. */
export abstract class CelMap {
  abstract readonly size: number;
  /** Undefined if there is no such key. */
  abstract get(key: CelValue): Result | undefined;
  abstract keys(): Iterable<CelValue>;
  /** Overrides equality by keys and values. */
  equals?(other: CelMap): boolean | CelError;
}

/** A value with declared fields. */
export abstract class CelStruct {
  abstract readonly typeName: string;
  /** Undefined if the field is not set. Names are those in expressions. */
  abstract get(field: string): Result | undefined;
  /** The number of set fields, if known, for the cost of comparisons. */
  get size(): number {
    return 1;
  }
  /** Overrides equality by identity. */
  equals?(other: CelStruct): boolean | CelError;
}

export class CelOptional {
  /** Undefined for `optional.none()`. */
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }

  static readonly none: CelOptional = new CelOptional(undefined);
}

/** A value of a library, such as a quantity or an address. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  /** The size for costs, if it has one. */
  get size(): number {
    return 1;
  }

  abstract equals(other: CelOpaque): boolean;
}

/** The result of `type(x)`. */
export class CelTypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}
