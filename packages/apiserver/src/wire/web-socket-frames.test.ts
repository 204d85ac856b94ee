import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closeFrame, frame, FrameReader, opcodes } from './web-socket-frames.ts';

const mask = [0x37, 0xfa, 0x21, 0x3d];

function fromClient(first: number, payload: Uint8Array, lengthBytes: number[] = [0x80 | payload.length]): Buffer {
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  return Buffer.concat([Buffer.from([first, ...lengthBytes, ...mask]), masked]);
}

function read(...chunks: Uint8Array[]): string[] {
  const seen: string[] = [];
  const reader = new FrameReader({
    onPing: (payload) => seen.push(`ping ${Buffer.from(payload).toString()}`),
    onClose: (code) => seen.push(`close ${code}`),
    onFault: (code) => seen.push(`fault ${code}`),
  });
  for (const chunk of chunks) reader.push(chunk);
  return seen;
}

const ping = fromClient(0x89, Buffer.from('hey'));
const close = fromClient(0x88, Buffer.from([0x03, 0xe8]));

describe('frames of a client', () => {
  test('are parsed however they are split', () => {
    const bytes = Buffer.concat([ping, fromClient(0x81, Buffer.from('ignored')), ping, close]);
    const expected = ['ping hey', 'ping hey', 'close 1000'];
    assert.deepEqual(read(bytes), expected);
    assert.deepEqual(read(...Array.from(bytes, (byte) => Buffer.from([byte]))), expected);
    for (let cut = 1; cut < bytes.length; cut++) {
      assert.deepEqual(read(bytes.subarray(0, cut), bytes.subarray(cut)), expected, `cut at ${cut}`);
    }
  });

  test('may have data of any length and in pieces, which is skipped', () => {
    const long = fromClient(0x02, Buffer.alloc(70_000), [0xff, 0, 0, 0, 0, 0, 1, 0x11, 0x70]);
    const rest = fromClient(0x80, Buffer.alloc(300), [0xfe, 0x01, 0x2c]);
    assert.deepEqual(read(long, ping, rest, close), ['ping hey', 'close 1000']);
  });

  test('are refused if they are not masked, or have reserved bits or unknown codes', () => {
    assert.deepEqual(read(Buffer.from([0x81, 0x02, 1, 2])), ['fault 1002']);
    assert.deepEqual(read(fromClient(0xc1, Buffer.from('x'))), ['fault 1002']);
    assert.deepEqual(read(fromClient(0x83, Buffer.from('x'))), ['fault 1002']);
  });

  test('are refused if control frames are long or in pieces', () => {
    assert.deepEqual(read(fromClient(0x89, Buffer.alloc(200), [0xfe, 0, 200])), ['fault 1002']);
    assert.deepEqual(read(fromClient(0x09, Buffer.from('x'))), ['fault 1002']);
  });

  test('are refused if their length exceeds a safe integer', () => {
    const endless = Buffer.from([0x82, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, ...mask]);
    assert.deepEqual(read(endless), ['fault 1009']);
  });

  test('are ignored after the first fault or close', () => {
    assert.deepEqual(read(Buffer.from([0x81, 0x00]), ping), ['fault 1002']);
    assert.deepEqual(read(Buffer.concat([close, ping])), ['close 1000']);
    assert.deepEqual(read(fromClient(0x88, Buffer.alloc(0))), ['close undefined']);
  });
});

test('frames of the server have the shortest length that fits', () => {
  const header = (length: number): number[] => [...frame(opcodes.text, Buffer.alloc(length)).subarray(0, 10)];
  assert.deepEqual(header(125).slice(0, 2), [0x81, 125]);
  assert.deepEqual(header(126).slice(0, 4), [0x81, 126, 0, 126]);
  assert.deepEqual(header(65_535).slice(0, 4), [0x81, 126, 0xff, 0xff]);
  assert.deepEqual(header(65_536), [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
  assert.deepEqual([...closeFrame(1000)], [0x88, 2, 0x03, 0xe8]);
});
