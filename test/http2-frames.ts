/** Builds HTTP/2 frames byte by byte, also invalid ones that no library would send. */

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8 };
const endStream = 0x1;
const endHeaders = 0x4;
const ack = 0x1;

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A field whose name is in the static table of HPACK; short ASCII values only. */
function field(index: number, value: string): Buffer {
  return Buffer.concat([Buffer.from([index, value.length]), Buffer.from(value)]);
}

const indices = { authority: 1, method: 2, path: 4 };
const schemeHttps = 0x87;

export function headerBlock(method: string, path: string): Buffer {
  return Buffer.concat([
    field(indices.method, method),
    Buffer.from([schemeHttps]),
    field(indices.path, path),
    field(indices.authority, 'localhost'),
  ]);
}

const ends = { whole: endStream | endHeaders, 'body follows': endHeaders, 'block continues': endStream };

export const frames = {
  settings: frame(types.settings, 0, 0),
  settingsAck: frame(types.settings, ack, 0),
  ping: frame(types.ping, 0, 0, Buffer.alloc(8)),
  headers: (stream: number, block: Buffer, end: keyof typeof ends): Buffer =>
    frame(types.headers, ends[end], stream, block),
  data: (stream: number, text: string, isLast: boolean): Buffer =>
    frame(types.data, isLast ? endStream : 0, stream, Buffer.from(text)),
  reset: (stream: number): Buffer => frame(types.reset, 0, stream, number(8)),
  goaway: (code: number): Buffer => frame(types.goaway, 0, 0, Buffer.concat([number(0), number(code)])),
  windowUpdate: (stream: number, bytes: number): Buffer => frame(types.windowUpdate, 0, stream, number(bytes)),
};
