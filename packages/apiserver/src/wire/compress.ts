import { constants, createGzip, gzip } from 'node:zlib';
import type { ApiRequest, ApiResponse, ResponseStream, StreamSink } from '@flotilla/kube';
import { isStream } from '../response/response-parts.ts';

/** Smaller bodies are not compressed, as in kube-apiserver. */
const minBytes = 128 * 1024;
const options = { level: constants.Z_BEST_SPEED };

/** Compresses large responses off the main thread if the client accepts gzip. */
export function compressed(
  request: ApiRequest,
  response: ApiResponse | Promise<ApiResponse>,
): ApiResponse | Promise<ApiResponse> {
  const accepts = request.headers['accept-encoding'];
  if (accepts === undefined || !accepts.split(',').some((token) => token.trim() === 'gzip')) return response;
  return response instanceof Promise ? response.then(compress) : compress(response);
}

function compress(response: ApiResponse): ApiResponse | Promise<ApiResponse> {
  const { body, headers } = response;
  if (headers['content-encoding'] !== undefined) return response;
  if (isStream(body)) return body.isCompressible ? { ...response, body: gzipped(body, headers) } : response;
  const bytes = Array.isArray(body) ? Buffer.concat(body) : (body as Uint8Array);
  if (bytes.length <= minBytes) return response;
  return new Promise((resolve, reject) => {
    gzip(bytes, options, (error, compressedBytes) => {
      if (error) reject(error);
      else resolve({ ...response, headers: gzipHeaders(headers), body: compressedBytes });
    });
  });
}

function gzipHeaders(headers: ApiResponse['headers']): ApiResponse['headers'] {
  headers['content-encoding'] = 'gzip';
  const { vary = '' } = headers;
  headers['vary'] = vary === 'Accept' ? 'Accept-Encoding, Accept' : vary || 'Accept-Encoding';
  return headers;
}

/** Has no minimum size: only large lists are compressible streams. */
function gzipped(body: ResponseStream, headers: ApiResponse['headers']): ResponseStream {
  gzipHeaders(headers);
  return {
    isCompressible: false,
    start(sink) {
      const zip = createGzip(options);
      zip.on('data', (chunk: Buffer) => {
        if (!sink.write(chunk)) zip.pause();
      });
      sink.onDrain(() => zip.resume());
      zip.once('end', () => sink.end());
      zip.on('error', sink.fail);
      sink.onClose(() => zip.destroy());
      body.start(zipSink(zip, sink));
    },
  };
}

function zipSink(zip: ReturnType<typeof createGzip>, sink: StreamSink): StreamSink {
  return {
    write: (chunk) => zip.write(chunk),
    end: () => zip.end(),
    fail: (error) => {
      zip.destroy();
      sink.fail(error);
    },
    onDrain: (listener) => zip.on('drain', listener),
    onClose: sink.onClose,
  };
}
