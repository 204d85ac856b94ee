import { CelDuration, CelError, CelTimestamp, type Result } from '@flotilla/cel';
import { TimeError, type Instant, type JsonValue } from '@flotilla/kube';
import { parseDate, parseDateTime } from '../value/formats/date-time.ts';
import { parseLooseDuration } from '../value/formats/duration.ts';
import { unexpected } from './unknown-value.ts';

/** Strings of some formats are more than strings to expressions. */
export function readString(format = ''): (value: JsonValue) => Result {
  const read = formatReaders.get(format);
  if (read === undefined) return (value) => (typeof value === 'string' ? value : unexpected('string', value));
  return (value) => (typeof value === 'string' ? read(value) : unexpected('string', value));
}

const formatReaders: ReadonlyMap<string, (text: string) => Result> = new Map([
  ['duration', readDuration],
  ['date', (text) => timestamp(parseDate(text), `Invalid date formatted string ${text}`)],
  ['date-time', (text) => timestamp(parseDateTime(text), `Invalid date-time formatted string ${text}`)],
  ['byte', readBytes],
]);

function readDuration(text: string): Result {
  const nanos = parseLooseDuration(text);
  if (nanos !== undefined) return new CelDuration(nanos);
  return new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

function timestamp(time: Instant | TimeError, problem: string): Result {
  if (time instanceof TimeError) return new CelError(`${problem}: ${time.message}`);
  return new CelTimestamp(BigInt(time.epochSeconds) * 1_000_000_000n + BigInt(time.nanoseconds));
}

/** Kubernetes reads the alphabet of URLs here, though it was the standard one that the value was validated by. */
function readBytes(text: string): Result {
  const stranger = text.search(/[^A-Za-z0-9_=\-\r\n]/);
  if (stranger === -1) return Uint8Array.from(Buffer.from(text, 'base64url'));
  const problem = `illegal base64 data at input byte ${Buffer.byteLength(text.slice(0, stranger))}`;
  return new CelError(`Invalid byte formatted string ${text}: ${problem}`);
}
