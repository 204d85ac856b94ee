import { AnswerTooLarge } from './answer-limits.ts';
import { ConnectionError } from './connection-error.ts';

const newline = 0x0a;

/** Whole lines of a body, however its pieces were cut. A body that ends in the middle of one was cut itself. */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  for await (const piece of body) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(newline, from);
      const rest = piece.subarray(from, end < 0 ? piece.length : end);
      if (begunBytes + rest.length > maxLineBytes) throw new AnswerTooLarge('an event of the watch', maxLineBytes);
      if (end < 0) {
        if (rest.length > 0) begun.push(rest);
        begunBytes += rest.length;
        break;
      }
      from = end + 1;
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      if (begun.length > 0) begun = [];
      begunBytes = 0;
      if (line.length > 0) yield line;
    }
  }
  if (begun.length > 0) throw new ConnectionError('the watch was cut in the middle of an event', 'cut');
}
