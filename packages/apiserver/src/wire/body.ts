import type { Readable } from 'node:stream';
import { apiErrors, type BodyMeter } from '@flotilla/kube';
import { BodyPieces } from './body-pieces.ts';

const empty = new Uint8Array();

/** Each piece takes time, however small: a body in more of them than this has to have so many bytes in each. */
const fewPieces = 20_000;
const smallestAverage = 32;

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
    const pieces = new BodyPieces();
    let arrived = 0;
    let length = 0;
    const take = (chunk: Uint8Array): void => {
      try {
        length += chunk.length;
        if (length > limit) throw tooLarge(limit);
        meter?.received(chunk.length);
        if (++arrived > fewPieces && length < arrived * smallestAverage) throw tooManyPieces();
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
      resolve(pieces.whole());
      // The listener below outlives the body.
      pieces.clear();
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

function tooManyPieces(): Error {
  return apiErrors.badRequest(`the body comes in more than ${fewPieces} pieces of less than ${smallestAverage} bytes`);
}
