import type { ResponseStream } from '@flotilla/kube';
import { maxKeptBytes } from './response-object.ts';

/** The chunks of a stream, up to the size that an event has room for. */
export class KeptBody {
  #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size <= maxKeptBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  bytes(): Uint8Array | 'too-large' {
    return this.#size > maxKeptBytes ? 'too-large' : Buffer.concat(this.#chunks);
  }
}

/** The same stream. Calls `ended` once, whichever side ended it. */
export function auditedStream(stream: ResponseStream, kept: KeptBody | undefined, ended: () => void): ResponseStream {
  return {
    isCompressible: stream.isCompressible,
    start: (sink) => {
      let isOver = false;
      const over = (): void => {
        if (isOver) return;
        isOver = true;
        ended();
      };
      sink.onClose(over);
      stream.start({
        write: (chunk) => {
          kept?.add(chunk);
          return sink.write(chunk);
        },
        end: () => {
          over();
          sink.end();
        },
        fail: (error) => {
          over();
          sink.fail(error);
        },
        onDrain: sink.onDrain,
        onClose: sink.onClose,
      });
    },
  };
}
