import { AnswerTooLarge } from './answer-limits.ts';

/** A whole body as one piece. */
export async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new AnswerTooLarge("the server's answer", maxBytes);
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}

/** The beginning of a body; the rest is cancelled. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
