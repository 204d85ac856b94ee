import { isUtf8 } from 'node:buffer';

const replacementCharacter = '\ufffd';

/** Decodes UTF-8. Each invalid byte becomes a replacement character, as in Go, not each sequence. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : decodeInvalid(buffer);
}

function decodeInvalid(buffer: Buffer): string {
  const pieces: string[] = [];
  for (let at = 0; at < buffer.length;) {
    const length = sequenceLength(buffer[at] ?? 0);
    const sequence = buffer.subarray(at, at + length);
    const isWhole = length > 0 && sequence.length === length && isUtf8(sequence);
    pieces.push(isWhole ? sequence.toString('utf8') : replacementCharacter);
    at += isWhole ? length : 1;
  }
  return pieces.join('');
}

/** Length of a sequence that starts with this byte; 0 if none does. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}
