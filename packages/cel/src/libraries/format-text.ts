/** Values as `%s` shows them: at the top as their text, inside lists and maps as CEL would write them. */
import { compareBytes, goFloat, quote } from '@flotilla/kube';
import { CelDuration, CelError, CelList, CelMap, CelTimestamp, CelTypeValue, CelUint } from '../value.ts';
import type { CelValue } from '../value.ts';
import { fixedDecimal } from '../values/exact-decimal.ts';
import { MAX_STRING_LENGTH } from '../values/limits.ts';
import { durationText, timestampText } from '../values/time-text.ts';
import { typeName, typeOf } from '../values/type-of.ts';

/** The message is cel-go's. */
export class FormatError extends Error {}

/** Lists that share their parts can be exponentially longer as text than they are. */
export class TooLong extends Error {}

/** Undefined: not for a value of this type. */
export function textOf(value: CelValue): string | undefined {
  if (value instanceof CelList) return new Writer().list(value);
  if (value instanceof CelMap) return new Writer().map(value);
  if (value instanceof CelTimestamp) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (typeof value === 'number') return doubleText(value);
  return plainText(value);
}

/** Of what looks the same wherever it stands. */
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

class Writer {
  #length = 0;

  list(list: CelList): string {
    const parts: string[] = [];
    for (let i = 0; i < list.size; i++) parts.push(this.#nested(valueOf(list.at(i))));
    return this.#counted(`[${parts.join(', ')}]`);
  }

  /** In the order of the keys' texts. */
  map(map: CelMap): string {
    const entries: { readonly key: string; readonly value: string }[] = [];
    for (const key of map.keys()) {
      entries.push({ key: this.#key(key), value: this.#nested(valueOf(map.get(key) ?? null)) });
    }
    entries.sort((a, b) => compareBytes(a.key, b.key));
    return this.#counted(`{${entries.map(({ key, value }) => `${key}:${value}`).join(', ')}}`);
  }

  #key(key: CelValue): string {
    if (typeof key === 'string') return this.#counted(quote(key));
    if (typeof key === 'boolean' || typeof key === 'bigint' || key instanceof CelUint) return plainText(key) as string;
    throw inside(`no formatting function for map key of type ${typeName(typeOf(key))}`);
  }

  #nested(value: CelValue): string {
    if (value instanceof CelList) return this.list(value);
    if (value instanceof CelMap) return this.map(value);
    return this.#counted(literal(value));
  }

  #counted(text: string): string {
    this.#length += text.length + 1;
    if (this.#length > MAX_STRING_LENGTH) throw new TooLong();
    return text;
  }
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
