import type { Readable } from 'node:stream';
import { apiErrors, type BodyMeter } from '@flotilla/kube';

const empty = new Uint8Array();

/** Reads a body whole. What is longer than `limit`, or more than the meter takes, is refused without being kept. */
export function readLimited(
  stream: Readable,
  limit: number,
  contentLength: string | undefined,
  meter?: BodyMeter,
): Promise<Uint8Array> {
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit));
  if (stream.readableEnded) return Promise.resolve(empty);
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const take = (chunk: Uint8Array): void => {
      try {
        length += chunk.length;
        if (length > limit) throw tooLarge(limit);
        meter?.received(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        stream.off('data', take);
        stream.resume();
        chunks.length = 0;
        reject(error);
      }
    };
    stream.on('data', take);
    stream.once('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks));
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
