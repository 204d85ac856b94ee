/** The envelope around every protobuf object: four bytes, then a message with apiVersion and kind. */
import { lengthDelimitedWire, ProtobufError, ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

const magicPrefix = Buffer.from('k8s\0');

/** Throws a `ProtobufError`. */
export function readEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.byteLength === 0) throw new ProtobufError('empty data');
  if (bytes.byteLength < magicPrefix.length || !magicPrefix.equals(bytes.subarray(0, magicPrefix.length))) {
    const expected = `[${[...magicPrefix].join(' ')}]`;
    throw new ProtobufError(`provided data does not appear to be a protobuf message, expected prefix ${expected}`);
  }
  if (bytes.byteLength === magicPrefix.length) throw new ProtobufError('empty body');
  const reader = new ProtoReader(bytes, magicPrefix.length);
  let typeMeta = { apiVersion: '', kind: '' };
  let raw: Uint8Array = new Uint8Array();
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('Unknown');
    if (wireType !== lengthDelimitedWire || number > 2) reader.skip(wireType);
    else if (number === 1) typeMeta = readTypeMeta(reader.message());
    else raw = reader.bytes();
  }
  return { ...typeMeta, raw };
}

function readTypeMeta(reader: ProtoReader): { apiVersion: string; kind: string } {
  const values = ['', '', ''];
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag('TypeMeta');
    if (wireType === lengthDelimitedWire && number <= 2) values[number] = reader.text();
    else reader.skip(wireType);
  }
  const [, apiVersion = '', kind = ''] = values;
  return { apiVersion, kind };
}

/** `writeRaw` writes the message of the kind. */
export function writeEnvelope(
  { apiVersion, kind }: { apiVersion: string; kind: string },
  writeRaw: (writer: ProtoWriter) => void,
): Uint8Array {
  const writer = new ProtoWriter();
  writeEncoding(writer);
  const raw = writer.mark();
  writeRaw(writer);
  writer.endMessage(2, raw);
  writeTypeMeta(writer, apiVersion, kind);
  return writer.finish();
}

/** The bytes around a message that the caller writes; only its length is needed. */
export function envelopeParts({ apiVersion, kind }: { apiVersion: string; kind: string }): {
  readonly before: (rawBytes: number) => Uint8Array;
  readonly after: Uint8Array;
} {
  const encoding = new ProtoWriter();
  writeEncoding(encoding);
  const before = (rawBytes: number): Uint8Array => {
    const writer = new ProtoWriter();
    writer.unsigned(rawBytes);
    writer.tag(2, lengthDelimitedWire);
    writeTypeMeta(writer, apiVersion, kind);
    return writer.finish();
  };
  return { before, after: encoding.finish() };
}

/** Kubernetes never sets contentEncoding and contentType, but always writes them. */
function writeEncoding(writer: ProtoWriter): void {
  writeTexts(writer, ['', ''], 3);
}

function writeTypeMeta(writer: ProtoWriter, apiVersion: string, kind: string): void {
  const mark = writer.mark();
  writeTexts(writer, [apiVersion, kind], 1);
  writer.endMessage(1, mark);
  writer.raw(magicPrefix);
}

function writeTexts(writer: ProtoWriter, texts: readonly string[], firstNumber: number): void {
  for (let i = texts.length - 1; i >= 0; i--) {
    writer.text(texts[i] ?? '');
    writer.tag(firstNumber + i, lengthDelimitedWire);
  }
}
