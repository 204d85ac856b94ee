/** Serves the debug endpoint for Placements beside the metrics, which have no TLS. So tokens are only accepted from this host. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { apiErrors, stringifyJson, type ApiRequest, type ApiResponse } from '@flotilla/kube';
import { readRequestBody } from './read-request-body.ts';

const maxInFlight = 8;

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

type Answer = (request: ApiRequest) => Promise<ApiResponse>;

export function placementDebugPage(answer: Answer): RequestListener {
  let inFlight = 0;
  return (request, response) => {
    const refuse = (status: number, error: string): void => {
      const headers = { 'content-type': 'application/json', connection: 'close' };
      response.writeHead(status, headers).end(`${stringifyJson({ error })}\n`);
    };
    if (!loopback.test(request.socket.remoteAddress ?? '')) {
      return refuse(403, 'this page has no TLS and is only served to its own host: use kubectl port-forward');
    }
    if (inFlight >= maxInFlight) return refuse(503, 'too many requests');
    inFlight++;
    const closing = new AbortController();
    response.once('close', () => closing.abort());
    answer(requestOf(request, closing.signal))
      .then(({ status, headers, body }) => {
        // The rest of a refused body is not read.
        const ending = status >= 400 ? { connection: 'close' } : {};
        response.writeHead(status, { 'content-type': String(headers['content-type']), ...ending });
        response.end(body);
      })
      // The connection broke.
      .catch(() => response.destroy())
      .finally(() => inFlight--);
  };
}

function requestOf(request: IncomingMessage, signal: AbortSignal): ApiRequest {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const { authorization } = request.headers;
  return {
    method: request.method ?? 'GET',
    path,
    query: query.join('?'),
    headers: { authorization },
    user: undefined,
    body: async (limit) => {
      const body = await readRequestBody(request, limit);
      if (body === undefined) throw apiErrors.requestEntityTooLarge(`limit is ${limit}`);
      return body;
    },
    signal,
  };
}
