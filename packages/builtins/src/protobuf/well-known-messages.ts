/** The protobuf form of types that have their own JSON form. */
import {
  canonicalQuantity,
  formatGoDuration,
  formatMicroTime,
  formatTime,
  isZeroTime,
  parseGoDuration,
  parseJson,
  parseSpelledJson,
  parseMicroTime,
  parseTime,
  stringifyJson,
  type Instant,
  type JsonValue,
} from '@flotilla/kube';
import type { WellKnownForm } from '../table/go-type.ts';
import { lengthDelimitedWire, ProtobufError, varintWire, type ProtoReader } from './proto-reader.ts';
import type { ProtoWriter } from './proto-writer.ts';

/** The content of a message, without its length. */
interface MessageForm {
  readonly read: (reader: ProtoReader) => JsonValue;
  readonly write: (writer: ProtoWriter, value: JsonValue) => void;
}

type PlainForm = Exclude<WellKnownForm, 'schema-or-array' | 'schema-or-bool' | 'schema-or-strings'>;

export function wellKnownMessage(form: PlainForm): MessageForm {
  return forms[form];
}

const timestamps = { read: readInstant, write: writeInstant };

const forms: Readonly<Record<PlainForm, MessageForm>> = {
  time: {
    // Go drops the fraction: a JSON time cannot hold it.
    read: (reader) => timeText(timestamps.read(reader), formatTime),
    write: (writer, value) => {
      if (typeof value === 'string') timestamps.write(writer, { ...parseTime(value), nanoseconds: 0 });
    },
  },
  'micro-time': {
    read: (reader) => timeText(timestamps.read(reader), formatMicroTime),
    write: (writer, value) => {
      if (typeof value === 'string') timestamps.write(writer, parseMicroTime(value));
    },
  },
  duration: {
    read: (reader) => formatGoDuration(BigInt(onlyField(reader, varintWire, (field) => field.int64()) ?? 0)),
    write: (writer, value) => {
      const duration = parseGoDuration(typeof value === 'string' ? value : '0s');
      writer.signed(duration);
      writer.tag(1, varintWire);
    },
  },
  quantity: {
    read: (reader) => readQuantity(onlyField(reader, lengthDelimitedWire, (field) => field.text()) ?? '0'),
    write: (writer, value) => {
      writer.text(typeof value === 'string' ? value : '0');
      writer.tag(1, lengthDelimitedWire);
    },
  },
  'int-or-string': { read: readIntOrString, write: writeIntOrString },
  raw: { read: readRaw, write: writeRaw },
  json: { read: readJson, write: writeRaw },
};

/** The value of field 1 of a message that has no other field. */
function onlyField<T>(reader: ProtoReader, wireType: number, read: (reader: ProtoReader) => T): T | undefined {
  let value: T | undefined;
  while (!reader.isAtEnd) {
    const tag = reader.tag('value');
    if (tag.number === 1 && tag.wireType === wireType) value = read(reader);
    else reader.skip(tag.wireType);
  }
  return value;
}

/** The end of the year 9999, the last time that JSON can express. */
const lastSecond = 253_402_300_799;
const firstSecond = -62_135_596_800;

/** An empty message is the zero time. */
function readInstant(reader: ProtoReader): Instant | undefined {
  if (reader.isAtEnd) return undefined;
  let epochSeconds = 0;
  let nanoseconds = 0;
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('Timestamp');
    if (number === 1 && wireType === varintWire) epochSeconds = Number(reader.int64());
    else if (number === 2 && wireType === varintWire) nanoseconds = reader.int32();
    else reader.skip(wireType);
  }
  const isSecond = epochSeconds >= firstSecond && epochSeconds <= lastSecond;
  if (!isSecond || nanoseconds < 0 || nanoseconds > 999_999_999) {
    throw new ProtobufError('proto: Timestamp: time is out of range');
  }
  return { epochSeconds, nanoseconds };
}

function timeText(instant: Instant | undefined, format: (instant: Instant) => string): JsonValue {
  return instant === undefined || isZeroTime(instant) ? null : format(instant);
}

function writeInstant(writer: ProtoWriter, { epochSeconds, nanoseconds }: Instant): void {
  writer.signed(nanoseconds);
  writer.tag(2, varintWire);
  writer.signed(epochSeconds);
  writer.tag(1, varintWire);
}

function readQuantity(text: string): JsonValue {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    throw new ProtobufError((error as Error).message, { cause: error });
  }
}

function readIntOrString(reader: ProtoReader): JsonValue {
  let isText = false;
  let integer = 0;
  let text = '';
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('IntOrString');
    if (number === 1 && wireType === varintWire) isText = reader.int64() === 1;
    else if (number === 2 && wireType === varintWire) integer = reader.int32();
    else if (number === 3 && wireType === lengthDelimitedWire) text = reader.text();
    else reader.skip(wireType);
  }
  return isText ? text : integer;
}

function writeIntOrString(writer: ProtoWriter, value: JsonValue): void {
  const isText = typeof value === 'string';
  writer.text(isText ? value : '');
  writer.tag(3, lengthDelimitedWire);
  writer.signed(typeof value === 'number' ? value : 0);
  writer.tag(2, varintWire);
  writer.unsigned(isText ? 1 : 0);
  writer.tag(1, varintWire);
}

function readRaw(reader: ProtoReader): JsonValue {
  return readJsonText(reader, parseSpelledJson);
}

function readJson(reader: ProtoReader): JsonValue {
  return readJsonText(reader, parseJson);
}

function readJsonText(reader: ProtoReader, parse: typeof parseJson): JsonValue {
  const text = onlyField(reader, lengthDelimitedWire, (field) => field.text());
  if (text === undefined || text === '') return null;
  try {
    return parse(text).value;
  } catch (error) {
    throw new ProtobufError((error as Error).message, { cause: error });
  }
}

function writeRaw(writer: ProtoWriter, value: JsonValue): void {
  if (value === null) return;
  writer.text(stringifyJson(value));
  writer.tag(1, lengthDelimitedWire);
}
