import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ConnectionError } from '../connection-error.ts';
import type { TransportResponse } from '../transport.ts';

/** The answer as it was before it was compressed for the way. */
export function decompressed(response: TransportResponse): TransportResponse {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
  return { ...response, headers, body: gunzipped(response.body) };
}

async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
  } catch (error) {
    if (!(error instanceof Error) || !('errno' in error)) throw error;
    throw new ConnectionError(`the server's answer cannot be decompressed: ${error.message}`, 'cut', { cause: error });
  }
}
