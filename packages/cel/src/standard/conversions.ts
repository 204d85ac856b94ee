import { goFloat } from '@flotilla/kube';
import { declare, overload, paramA, type FunctionDeclaration, type Overload, type OverloadParts } from '../library.ts';
import { types, type CelType } from '../type.ts';
import {
  CelError,
  CelTypeValue,
  CelUint,
  type CelDuration,
  type CelTimestamp,
  type CelValue,
  type Result,
} from '../value.ts';
import { parseDouble } from '../values/double-text.ts';
import { conversionError, intOverflow, uintOverflow } from '../values/errors.ts';
import { int, isInt, isUint, nanosPerSecond, timestamp, uint } from '../values/range.ts';
import { sizeOf, traversalCost } from '../values/size.ts';
import { durationText, parseDuration, parseTimestamp, timestampText } from '../values/time-text.ts';
import { typeOf } from '../values/type-of.ts';
import { countReading } from '../values/work.ts';

const { bool, bytes, double, string } = types;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const invalidUtf8 = new CelError('invalid UTF-8 in bytes, cannot convert to string');

const trueTexts = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

const oneReading: OverloadParts = { cost: ([value]) => traversalCost(sizeOf(value ?? null)) };

export const conversions: readonly FunctionDeclaration[] = [
  declare('dyn', same('to_dyn', paramA, types.dyn)),
  declare(
    'type',
    overload('type', [paramA], { kind: 'type', of: paramA }, (value: CelValue) => new CelTypeValue(typeOf(value))),
  ),
  declare('bool', same('bool_to_bool', bool), overload('string_to_bool', [string], bool, parseBool)),
  declare(
    'bytes',
    same('bytes_to_bytes', bytes),
    overload('string_to_bytes', [string], bytes, (text: string) => encoder.encode(text), oneReading),
  ),
  declare(
    'double',
    same('double_to_double', double),
    overload('int64_to_double', [types.int], double, Number),
    overload(
      'string_to_double',
      [string],
      double,
      (text: string) => parseDouble(text) ?? conversionError('string', 'double'),
    ),
    overload('uint64_to_double', [types.uint], double, (value: CelUint) => Number(value.value)),
  ),
  declare(
    'duration',
    same('duration_to_duration', types.duration),
    // cel-go declares this conversion, but does not implement it.
    overload('int64_to_duration', [types.int], types.duration, () =>
      conversionError('int', 'google.protobuf.Duration'),
    ),
    overload('string_to_duration', [string], types.duration, parseDuration),
  ),
  declare(
    'int',
    same('int64_to_int64', types.int),
    overload('double_to_int64', [double], types.int, truncate),
    overload('duration_to_int64', [types.duration], types.int, (value: CelDuration) => value.nanos),
    overload('string_to_int64', [string], types.int, parseInteger),
    overload('timestamp_to_int64', [types.timestamp], types.int, epochSeconds),
    overload('uint64_to_int64', [types.uint], types.int, (value: CelUint) => int(value.value)),
  ),
  declare(
    'string',
    same('string_to_string', string),
    overload('bool_to_string', [bool], string, String),
    overload('bytes_to_string', [bytes], string, decodeText, oneReading),
    overload('double_to_string', [double], string, doubleText),
    overload('duration_to_string', [types.duration], string, durationText),
    overload('int64_to_string', [types.int], string, String),
    overload('timestamp_to_string', [types.timestamp], string, timestampText),
    overload('uint64_to_string', [types.uint], string, (value: CelUint) => String(value.value)),
  ),
  declare(
    'timestamp',
    same('timestamp_to_timestamp', types.timestamp),
    overload('int64_to_timestamp', [types.int], types.timestamp, (seconds: bigint) =>
      timestamp(seconds * nanosPerSecond),
    ),
    overload('string_to_timestamp', [string], types.timestamp, parseTimestamp),
  ),
  declare(
    'uint',
    same('uint64_to_uint64', types.uint),
    overload('double_to_uint64', [double], types.uint, truncateUnsigned),
    overload('int64_to_uint64', [types.int], types.uint, uint),
    overload('string_to_uint64', [string], types.uint, parseUnsigned),
  ),
];

function same(id: string, from: CelType, to = from): Overload {
  return overload(id, [from], to, (value: CelValue) => value);
}

function parseBool(text: string): Result {
  if (trueTexts.has(text)) return true;
  return falseTexts.has(text) ? false : conversionError('string', 'bool');
}

const signedDigits = /^[+-]?\d+$/;
const plainDigits = /^\d+$/;

function parseInteger(text: string): Result {
  const value = wholeNumber(text, signedDigits);
  return value !== undefined && isInt(value) ? value : conversionError('string', 'int');
}

function parseUnsigned(text: string): Result {
  const value = wholeNumber(text, plainDigits);
  return value !== undefined && isUint(value) ? new CelUint(value) : conversionError('string', 'uint');
}

/** Leading zeros are allowed, so the length check comes first. */
function wholeNumber(text: string, syntax: RegExp): bigint | undefined {
  countReading(text.length);
  if (!syntax.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 20) return undefined;
  return text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

/** Refuses the limits themselves, which a double cannot distinguish from their neighbours. */
function truncate(value: number): Result {
  return value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : intOverflow;
}

function truncateUnsigned(value: number): Result {
  return value >= 0 && value < 2 ** 64 ? new CelUint(BigInt(Math.trunc(value))) : uintOverflow;
}

/** Rounds down, also before 1970. */
function epochSeconds({ nanos }: CelTimestamp): bigint {
  const left = ((nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond;
  return (nanos - left) / nanosPerSecond;
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return goFloat(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function decodeText(value: Uint8Array): Result {
  try {
    return decoder.decode(value);
  } catch {
    return invalidUtf8;
  }
}
