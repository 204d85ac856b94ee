/** Frames of RFC 6455 for a server that only sends: it writes whole messages and ignores data from clients. */
export const opcodes = { text: 0x1, binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
type Opcode = (typeof opcodes)[keyof typeof opcodes];

export const closeCodes = { normal: 1000, protocolError: 1002, tooBig: 1009 } as const;

const finalBit = 0x80;
const maskedBit = 0x80;
const reservedBits = 0x70;
const controlBit = 0x8;
const maxControlBytes = 125;

/** One whole message. Servers do not mask. */
export function frame(opcode: Opcode, payload: Uint8Array): Uint8Array {
  const header = headerOf(opcode, payload.length);
  return Buffer.concat([header, payload], header.length + payload.length);
}

export function closeFrame(code: number): Uint8Array {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return frame(opcodes.close, payload);
}

function headerOf(opcode: Opcode, length: number): Buffer {
  const first = finalBit | opcode;
  if (length <= maxControlBytes) return Buffer.from([first, length]);
  const isShort = length < 0x1_0000;
  const header = Buffer.alloc(isShort ? 4 : 10);
  header[0] = first;
  header[1] = isShort ? 126 : 127;
  if (isShort) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

interface FrameEvents {
  readonly onPing: (payload: Uint8Array) => void;
  /** The client sent a close frame, with a code or without. */
  readonly onClose: (code: number | undefined) => void;
  /** The client violated the protocol; nothing more is read. */
  readonly onFault: (code: number) => void;
}

/**
 * Reads the frames of a client. Skips data as it arrives, so that a message of any length takes no memory. Control frames are
 * short by the protocol.
 */
export class FrameReader {
  readonly #events: FrameEvents;
  #pending: Buffer = Buffer.alloc(0);
  #skip = 0;
  #isOver = false;

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  push(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    while (!this.#isOver && rest.length > 0) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, rest.length);
        this.#skip -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const all = this.#pending.length === 0 ? rest : Buffer.concat([this.#pending, rest]);
      const used = this.#read(all);
      // At most a header and the payload of a control frame.
      this.#pending = used === 0 ? Buffer.from(all) : Buffer.alloc(0);
      rest = all.subarray(used === 0 ? all.length : used);
    }
  }

  /** Reads the header of a data frame, or a whole control frame. Returns the bytes read, 0 if more are needed. */
  #read(bytes: Buffer): number {
    if (bytes.length < 2) return 0;
    const first = bytes[0] ?? 0;
    const second = bytes[1] ?? 0;
    const opcode = first & 0x0f;
    const isControl = (opcode & controlBit) !== 0;
    const short = second & 0x7f;
    if ((first & reservedBits) !== 0 || (second & maskedBit) === 0 || !isKnown(opcode))
      return this.#fault(closeCodes.protocolError);
    if (isControl && ((first & finalBit) === 0 || short > maxControlBytes))
      return this.#fault(closeCodes.protocolError);

    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const headerLength = 2 + lengthBytes + 4;
    if (bytes.length < headerLength) return 0;
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (!isControl) {
      if (!Number.isSafeInteger(length)) return this.#fault(closeCodes.tooBig);
      this.#skip = length;
      return headerLength;
    }
    if (bytes.length < headerLength + length) return 0;
    const mask = bytes.subarray(headerLength - 4, headerLength);
    this.#control(opcode, unmasked(bytes.subarray(headerLength, headerLength + length), mask));
    return headerLength + length;
  }

  #control(opcode: number, payload: Buffer): void {
    if (opcode === opcodes.ping) this.#events.onPing(payload);
    if (opcode !== opcodes.close) return;
    this.#isOver = true;
    this.#events.onClose(payload.length >= 2 ? payload.readUInt16BE(0) : undefined);
  }

  #fault(code: number): number {
    this.#isOver = true;
    this.#events.onFault(code);
    return 1;
  }
}

function isKnown(opcode: number): boolean {
  return opcode <= opcodes.binary || (opcode >= opcodes.close && opcode <= opcodes.pong);
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0)));
}
