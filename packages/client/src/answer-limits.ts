/** How much of an answer is read. Servers are not trusted: one that never comes to an end must not fill the memory. */
import { ConnectionError } from './connection-error.ts';

/** In bytes, as they are after decompression. */
export interface AnswerLimits {
  /** One object, an item of a list, an event of a watch. Kubernetes stores at most 1.5 MiB, which may be a few times that as JSON. */
  readonly object: number;
  /** One page of a list. */
  readonly list: number;
  /** What is asked for by its path and has no limit of its own. */
  readonly other: number;
}

const mebibyte = 1024 * 1024;

export const defaultAnswerLimits: AnswerLimits = {
  object: 16 * mebibyte,
  list: 256 * mebibyte,
  other: 16 * mebibyte,
};

/** A Status that lists a thousand faults is shorter. What goes beyond is not read, and the status line alone counts. */
export const maxErrorBytes = mebibyte;

/** All kinds of a server in one document; with 2,000 definitions this is 5 MiB. */
export const maxDiscoveryBytes = 64 * mebibyte;

/** The server answered more than is read. The rest was cancelled. */
export class AnswerTooLarge extends ConnectionError {
  override readonly name = 'AnswerTooLarge';
  readonly limitBytes: number;

  constructor(what: string, limitBytes: number) {
    super(`${what} is longer than ${limitBytes} bytes`, 'cut');
    this.limitBytes = limitBytes;
  }
}
