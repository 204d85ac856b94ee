import type { Readable } from 'node:stream';
import { apiErrors, type BodyMeter } from '@flotilla/kube';
import { BodyPieces } from './body-pieces.ts';

const empty = new Uint8Array();

/** Each piece takes time, however small. With more pieces than this, their average size has a minimum. */
const maxSmallPieces = 20_000;
const minAverageBytes = 32;

/** Reads a whole body. Rejects one that exceeds `limit` or the meter, and drops the rest of it. */
export function readLimited(
  stream: Readable,
  limit: number,
  contentLength: string | undefined,
  meter?: BodyMeter,
): Promise<Uint8Array> {
  if (contentLength !== undefined && Number(contentLength) > limit) return Promise.reject(tooLarge(limit));
  if (stream.readableEnded) return Promise.resolve(empty);
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces();
    let arrived = 0;
    let length = 0;
    const take = (chunk: Uint8Array): void => {
      try {
        length += chunk.length;
        if (length > limit) throw tooLarge(limit);
        meter?.received(chunk.length);
        if (++arrived > maxSmallPieces && length < arrived * minAverageBytes) throw tooManyPieces();
        pieces.add(chunk);
      } catch (error) {
        stream.off('data', take);
        stream.resume();
        pieces.clear();
        reject(error);
      }
    };
    stream.on('data', take);
    stream.once('end', () => {
      resolve(pieces.concat());
      // The listeners outlive the body: only a full garbage collection frees a stream, and its meter knows the request.
      pieces.clear();
      meter = undefined;
    });
    stream.once('close', () => {
      // Every stream emits close. Errors cost time, so that only an incomplete body makes one.
      if (!stream.readableEnded) reject(apiErrors.badRequest('the connection was closed before the body was complete'));
    });
  });
}

function tooLarge(limit: number): Error {
  return apiErrors.requestEntityTooLarge(`limit is ${limit}`);
}

function tooManyPieces(): Error {
  return apiErrors.badRequest(
    `the body comes in more than ${maxSmallPieces} pieces of less than ${minAverageBytes} bytes`,
  );
}
