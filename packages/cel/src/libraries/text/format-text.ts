/** Values as `%s` prints them: plain at the top, as CEL literals inside lists and maps. */
import { compareBytes, goFloat, quote } from '@flotilla/kube';
import {
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from '../../value.ts';
import { fixedDecimal } from '../../values/double-text.ts';
import { durationText, timestampText } from '../../values/time-text.ts';
import { typeName, typeOf } from '../../values/type-of.ts';
import { countReading, countWork } from '../../values/work.ts';

/** The message is cel-go's. */
export class FormatError extends Error {}

/** Undefined if the type is not supported. */
export function textOf(value: CelValue): string | undefined {
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (typeof value === 'number') return doubleText(value);
  return plainText(value);
}

/** For types that print the same at any depth. */
function plainText(value: CelValue): string | undefined {
  if (value === null) return 'null';
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTypeValue) return typeName(value.type);
  if (value instanceof Uint8Array) return decoded(value);
  return typeof value === 'object' ? undefined : String(value);
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return goFloat(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const reason = quote('invalid UTF-8 in bytes, cannot convert to string');
    throw new FormatError(`error during formatting: could not convert argument ${reason} to string`);
  }
}

function listText(list: CelList): string {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) parts.push(nestedText(valueOf(list.at(i))));
  return `[${parts.join(', ')}]`;
}

/** Sorted by the text of the keys. */
function mapText(map: CelMap): string {
  const entries: { readonly key: string; readonly value: string }[] = [];
  for (const key of map.keys()) {
    entries.push({ key: keyText(key), value: nestedText(valueOf(map.get(key) ?? null)) });
  }
  entries.sort((a, b) => compareBytes(a.key, b.key));
  return `{${entries.map(({ key, value }) => `${key}:${value}`).join(', ')}}`;
}

function keyText(key: CelValue): string {
  if (typeof key === 'string') return quote(key);
  if (typeof key === 'boolean' || typeof key === 'bigint' || key instanceof CelUint) return plainText(key) as string;
  throw inside(`no formatting function for map key of type ${typeName(typeOf(key))}`);
}

/** The text of lists that share elements can be exponentially long. */
function nestedText(value: CelValue): string {
  countWork(5);
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  const text = literal(value);
  countReading(text.length);
  return text;
}

function literal(value: CelValue): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(decoded(value))}`;
  if (typeof value === 'number') return Number.isFinite(value) ? fixedDecimal(value, 6) : quote(doubleText(value));
  if (value instanceof CelTimestamp) return `timestamp(${quote(timestampText(value))})`;
  if (value instanceof CelDuration) return `duration(${quote(durationText(value))})`;
  const text = plainText(value);
  if (text === undefined) throw inside(`no formatting function for ${typeName(typeOf(value))}`);
  return text;
}

function inside(reason: string): FormatError {
  return new FormatError(`error during formatting: ${reason}`);
}

function valueOf(value: CelValue | CelError): CelValue {
  if (value instanceof CelError) throw new FormatError(value.message);
  return value;
}
