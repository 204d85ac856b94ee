import type { Readable } from 'node:stream';
import { apiErrors } from '@flotilla/kube';

const empty = new Uint8Array();

/** Reads a body whole. What is longer than `limit` is refused without being kept. */
export function readLimited(stream: Readable, limit: number, contentLength: string | undefined): Promise<Uint8Array> {
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit));
  if (stream.readableEnded) return Promise.resolve(empty);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    stream.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > limit) {
        stream.removeAllListeners('data');
        stream.resume();
        reject(tooLarge(limit));
      } else {
        chunks.push(chunk);
      }
    });
    stream.once('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks, length));
      // The listener below outlives the body.
      chunks.length = 0;
    });
    stream.once('close', () => {
      // Every stream closes in the end; an error is made only for one that had more to say.
      if (!stream.readableEnded) reject(apiErrors.badRequest('the connection was closed before the body was complete'));
    });
  });
}

function tooLarge(limit: number): Error {
  return apiErrors.requestEntityTooLarge(`limit is ${limit}`);
}
