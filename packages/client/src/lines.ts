import { ConnectionError } from './connection-error.ts';

const newline = 0x0a;

/** Whole lines of a body, however its pieces were cut. A body that ends in the middle of one was cut itself. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let begun: Uint8Array[] = [];
  for await (const piece of body) {
    let from = 0;
    for (;;) {
      const end = piece.indexOf(newline, from);
      if (end < 0) break;
      const rest = piece.subarray(from, end);
      from = end + 1;
      const line = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
      if (begun.length > 0) begun = [];
      if (line.length > 0) yield line;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) throw new ConnectionError('the watch was cut in the middle of an event', 'cut');
}
