/** The HTTPS server that the API server of another Kubernetes calls. Everything that it receives is untrusted. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AnswerWebhook, WebhookCertificate, WebhookListener } from '@flotilla/fleet';
import { listenFault, parseAddress } from '../listen-address.ts';
import { readRequestBody } from './read-request-body.ts';

/** Two objects of the largest size that kube-apiserver accepts, and what surrounds them. */
const maxBodyBytes = 8 * 1024 * 1024;

const maxInFlight = 32;
const maxConnections = 256;
const requestTimeoutMs = 15_000;

/** Go's client keeps idle connections for 90 s. If the server closed one first, a call could fail. */
const keepAliveMs = 120_000;

export interface ReviewListener extends WebhookListener {
  readonly port: number;
}

export async function listenForReviews(
  address: string,
  certificate: WebhookCertificate,
  answer: AnswerWebhook,
): Promise<ReviewListener> {
  const { host, port } = parseAddress(address);
  let inFlight = 0;
  const server = createServer(contextOf(certificate), (request, response) => {
    if (inFlight >= maxInFlight) return respond(response, 503, 'too many requests\n');
    inFlight++;
    void serve(request, response, answer).finally(() => inFlight--);
  });
  server.requestTimeout = requestTimeoutMs;
  server.headersTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  server.maxConnections = maxConnections;
  // A peer that ends its connection early is no fault of ours.
  server.on('tlsClientError', () => undefined);
  const ready = once(server, 'listening');
  server.listen({ port, ...(host !== '' && { host }) });
  await ready.catch((error: NodeJS.ErrnoException) => {
    throw listenFault(address, error);
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    setCertificate: (next) => server.setSecureContext(contextOf(next)),
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function contextOf({ key, certificate, authority }: WebhookCertificate) {
  return { key, cert: `${certificate}\n${authority}`, minVersion: 'TLSv1.2' } as const;
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: AnswerWebhook): Promise<void> {
  try {
    if (request.method !== 'POST') return respond(response, 405, 'only POST is supported\n');
    const body = await readRequestBody(request, maxBodyBytes);
    if (body === undefined) return respond(response, 413, 'the body is too large\n');
    const [path = '/'] = (request.url ?? '/').split('?');
    const { status, type, body: text } = await answer(path, body);
    respond(response, status, text, type);
  } catch {
    // The connection broke.
    response.destroy();
  }
}

function respond(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  // The rest of a refused body is not read.
  const headers = { 'content-type': type, ...(status >= 400 && { connection: 'close' }) };
  response.writeHead(status, headers).end(body);
}
