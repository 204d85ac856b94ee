import type { CelType } from './type.ts';

/**
 * What expressions are about at run time. An int is a bigint, a double a number; strings are JavaScript's, though CEL counts
 * code points. Lists, maps and structs are abstract, so that an adapter can show data in another form without copying it.
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

/** Errors are values until they reach the top: `true || 1/0 > 0` is true, and nothing was thrown. */
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
  /** Of the zone that it was written in, which only its text shows. */
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
  /** Only called with 0 <= index < size. */
  abstract at(index: number): Result;
  /** Where equality is not by position: Kubernetes' sets and lists by key. Undefined: by position. */
  equals?(other: CelList): boolean | CelError;
  /** Where `+` is not plain appending. */
  concat?(other: CelList): CelList | CelError;
}

/** Keys are bool, int, uint or string; ints and uints that are equal are one key. */
export abstract class CelMap {
  abstract readonly size: number;
  /** Undefined: there is no such key. */
  abstract get(key: CelValue): Result | undefined;
  abstract keys(): Iterable<CelValue>;
  /** Where equality is more than that of keys and their values. */
  equals?(other: CelMap): boolean | CelError;
}

/** A value with declared fields. */
export abstract class CelStruct {
  abstract readonly typeName: string;
  /** Undefined: the field is not set. Names are as expressions write them. */
  abstract get(field: string): Result | undefined;
  /** How many fields are set, where that is known: comparing it costs by them. */
  get size(): number {
    return 1;
  }
  /** Undefined: equal when they are the same object. */
  equals?(other: CelStruct): boolean | CelError;
}

export class CelOptional {
  /** Undefined: nothing. */
  readonly value: CelValue | undefined;

  constructor(value: CelValue | undefined) {
    this.value = value;
  }

  static readonly none: CelOptional = new CelOptional(undefined);
}

/** A value of a library: a quantity, an address. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  /** What costs go by, where it has a length. */
  get size(): number {
    return 1;
  }

  abstract equals(other: CelOpaque): boolean;
}

/** What `type(x)` gives. */
export class CelTypeValue {
  readonly type: CelType;

  constructor(type: CelType) {
    this.type = type;
  }
}
