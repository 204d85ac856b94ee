/** How Go's types with their own JSON look in a dump: structs with private fields. */
import {
  isZeroTime,
  JsonFloat,
  parseTime,
  quantityInGo,
  stringifyJson,
  type JsonValue,
  type QuantityInGo,
} from '@flotilla/kube';
import type { WellKnownForm } from '../table/go-type.ts';
import type { Dumper } from './go-dump.ts';

export const wellKnownDumps: Readonly<Partial<Record<WellKnownForm, Dumper>>> = {
  'int-or-string': dumpIntOrString,
  quantity: dumpQuantity,
  raw: dumpRaw,
  time: dumpTime,
};

function dumpIntOrString(value: JsonValue | undefined): string {
  const [type, int, string] =
    typeof value === 'string' ? [1, 0, value] : [0, typeof value === 'number' ? Math.trunc(value) : 0, ''];
  return `{Type:(intstr.Type)${type} IntVal:(int32)${int} StrVal:(string)${string}}`;
}

const secondsFromYearOneTo1970 = 62_135_596_800;

/** Where the controller manager of Kubernetes runs, the local time zone is UTC. */
const localZone =
  '{name:(string)UTC zone:([]time.zone)<nil> tx:([]time.zoneTrans)<nil> extend:(string) cacheStart:(int64)0 ' +
  'cacheEnd:(int64)0 cacheZone:(*time.zone)<nil>}';

function dumpTime(value: JsonValue | undefined): string {
  const seconds = secondsOf(value);
  const zone = seconds === 0 ? '<nil>' : localZone;
  return `{Time:(time.Time){wall:(uint64)0 ext:(int64)${seconds} loc:(*time.Location)${zone}}}`;
}

/** Since the start of year 1, which is Go's zero time. */
function secondsOf(value: JsonValue | undefined): number {
  if (typeof value !== 'string') return 0;
  try {
    const time = parseTime(value);
    return isZeroTime(time) ? 0 : time.epochSeconds + secondsFromYearOneTo1970;
  } catch {
    return 0;
  }
}

function dumpQuantity(value: JsonValue | undefined): string {
  const { unscaled, exponent, isBig, spelling, format } = fieldsOf(value);
  const int64 = isBig ? dumpInt64Amount(0n, 0) : dumpInt64Amount(unscaled, exponent);
  const decimal = isBig ? dumpDecimal(unscaled, exponent) : '<nil>';
  return (
    `{i:(resource.int64Amount)${int64} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} ` +
    `s:(string)${spelling} Format:(resource.Format)${format}}`
  );
}

/** Protobuf writes an unset quantity as `0`. */
const unsetQuantity = quantityInGo('0');

function fieldsOf(value: JsonValue | undefined): QuantityInGo {
  if (value === undefined || value === null || typeof value === 'object') return unsetQuantity;
  try {
    return quantityInGo(String(value));
  } catch {
    return unsetQuantity;
  }
}

function dumpInt64Amount(value: bigint, scale: number): string {
  return `{value:(int64)${value} scale:(resource.Scale)${scale}}`;
}

function dumpDecimal(unscaled: bigint, exponent: number): string {
  const words: bigint[] = [];
  for (let rest = unscaled < 0n ? -unscaled : unscaled; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const digits = words.length === 0 ? '<nil>' : `[${words.join(' ')}]`;
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)${digits}} scale:(inf.Scale)${-exponent}}`;
}

/** The bytes of the JSON text, in decimal. */
function dumpRaw(value: JsonValue | undefined): string {
  const bytes = value === undefined || value instanceof JsonFloat ? [] : Buffer.from(stringifyJson(value));
  return `{Raw:([]uint8)[${bytes.join(' ')}]}`;
}
