/** How much of a response the client reads. Servers are not trusted: an endless response must not fill the memory. */
import { ConnectionError } from './connection-error.ts';

/** In bytes, after decompression. */
export interface ResponseLimits {
  /**
   * One object, list item or watch event. Kubernetes stores at most 1.5 MiB, which can be several times larger as
   * JSON.
   */
  readonly object: number;
  /** One page of a list. */
  readonly list: number;
  /** Responses to raw requests that set no limit of their own. */
  readonly other: number;
}

const mebibyte = 1024 * 1024;

export const defaultResponseLimits: ResponseLimits = {
  object: 16 * mebibyte,
  list: 256 * mebibyte,
  other: 16 * mebibyte,
};

/** A Status that lists a thousand errors is shorter. Beyond this limit only the HTTP status line counts. */
export const maxErrorBytes = mebibyte;

/** One document holds every kind of a server. With 2,000 CRDs it has 5 MiB. */
export const maxDiscoveryBytes = 64 * mebibyte;

/** The response was longer than the limit. The client cancelled the rest. */
export class ResponseTooLarge extends ConnectionError {
  override readonly name = 'ResponseTooLarge';
  readonly limitBytes: number;

  constructor(what: string, limitBytes: number) {
    super(`${what} is longer than ${limitBytes} bytes`, 'cut');
    this.limitBytes = limitBytes;
  }
}
