import { declare, listOfA, overload, type FunctionDeclaration, type Overload, type OverloadParts } from '../library.ts';
import { types, type CelType } from '../type.ts';
import { CelError, type CelDuration, type CelTimestamp, type CelUint, type Result } from '../value.ts';
import { intOverflow } from '../values/errors.ts';
import { concatenate } from '../values/list.ts';
import { duration, int, timestamp, uint } from '../values/range.ts';
import { sizeOf, traversalCost } from '../values/size.ts';
import { endAtCostLimit, maxStringLength } from '../values/work.ts';

const { bytes, double, duration: durationType, int: intType, string, timestamp: timestampType, uint: uintType } = types;

const divisionByZero = new CelError('division by zero');
const modulusByZero = new CelError('modulus by zero');

/** Both operands are copied. */
const ofBothLengths: OverloadParts = {
  cost: ([left, right]) => traversalCost(sizeOf(left ?? null) + sizeOf(right ?? null)),
};

export const arithmetic: readonly FunctionDeclaration[] = [
  declare(
    '_+_',
    binary('add_bytes', bytes, joinBytes, ofBothLengths),
    binary('add_double', double, (a: number, b: number) => a + b),
    binary('add_duration_duration', durationType, (a: CelDuration, b: CelDuration) => duration(a.nanos + b.nanos)),
    overload(
      'add_duration_timestamp',
      [durationType, timestampType],
      timestampType,
      (a: CelDuration, b: CelTimestamp) => timestamp(a.nanos + b.nanos, b.offsetMinutes),
    ),
    overload(
      'add_timestamp_duration',
      [timestampType, durationType],
      timestampType,
      (a: CelTimestamp, b: CelDuration) => timestamp(a.nanos + b.nanos, a.offsetMinutes),
    ),
    binary('add_int64', intType, (a: bigint, b: bigint) => int(a + b)),
    binary('add_list', listOfA, concatenate),
    binary('add_string', string, joinText, ofBothLengths),
    binary('add_uint64', uintType, (a: CelUint, b: CelUint) => uint(a.value + b.value)),
  ),
  declare(
    '_-_',
    binary('subtract_double', double, (a: number, b: number) => a - b),
    binary('subtract_duration_duration', durationType, (a: CelDuration, b: CelDuration) => duration(a.nanos - b.nanos)),
    binary('subtract_int64', intType, (a: bigint, b: bigint) => int(a - b)),
    overload(
      'subtract_timestamp_duration',
      [timestampType, durationType],
      timestampType,
      (a: CelTimestamp, b: CelDuration) => timestamp(a.nanos - b.nanos, a.offsetMinutes),
    ),
    overload(
      'subtract_timestamp_timestamp',
      [timestampType, timestampType],
      durationType,
      (a: CelTimestamp, b: CelTimestamp) => duration(a.nanos - b.nanos),
    ),
    binary('subtract_uint64', uintType, (a: CelUint, b: CelUint) => uint(a.value - b.value)),
  ),
  declare(
    '_*_',
    binary('multiply_double', double, (a: number, b: number) => a * b),
    binary('multiply_int64', intType, (a: bigint, b: bigint) => int(a * b)),
    binary('multiply_uint64', uintType, (a: CelUint, b: CelUint) => uint(a.value * b.value)),
  ),
  declare(
    '_/_',
    binary('divide_double', double, (a: number, b: number) => a / b),
    binary('divide_int64', intType, (a: bigint, b: bigint) => (b === 0n ? divisionByZero : int(a / b))),
    binary('divide_uint64', uintType, (a: CelUint, b: CelUint) =>
      b.value === 0n ? divisionByZero : uint(a.value / b.value),
    ),
  ),
  declare(
    '_%_',
    binary('modulo_int64', intType, modulo),
    binary('modulo_uint64', uintType, (a: CelUint, b: CelUint) =>
      b.value === 0n ? modulusByZero : uint(a.value % b.value),
    ),
  ),
  declare(
    '-_',
    overload('negate_double', [double], double, (a: number) => -a),
    overload('negate_int64', [intType], intType, (a: bigint) => int(-a)),
  ),
];

/** Operands and result have the same type. */
function binary(id: string, type: CelType, call: (...args: never[]) => Result, parts?: OverloadParts): Overload {
  return overload(id, [type, type], type, call, parts);
}

/** In cel-go the smallest int has no remainder by -1, because its quotient overflows. */
function modulo(a: bigint, b: bigint): Result {
  if (b === 0n) return modulusByZero;
  return b === -1n && int(-a) === intOverflow ? intOverflow : a % b;
}

function joinText(a: string, b: string): Result {
  if (a.length + b.length > maxStringLength) endAtCostLimit();
  return a + b;
}

function joinBytes(a: Uint8Array, b: Uint8Array): Result {
  if (a.length + b.length > maxStringLength) endAtCostLimit();
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
