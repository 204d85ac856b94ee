import type { ApiHandler, ApiResponse, ApiViewer, ResponseStream, User } from '@flotilla/kube';
import { BodyQueue, wholeBody } from '../body-queue.ts';
import { ConnectionError, sentenceOf } from '../connection-error.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { InProcessRequest } from './in-process-request.ts';

/**
 * Requests that never leave the process. They pass the server's door as any other does, with the user's identity and what
 * headers ask for; only sockets are skipped.
 */
export function inProcessTransport(handler: ApiHandler, user: User, viewer?: ApiViewer): Transport {
  const closing = new AbortController();
  const asked = (request: TransportRequest): InProcessRequest => {
    closing.signal.throwIfAborted();
    request.signal?.throwIfAborted();
    return new InProcessRequest(request, user, closing.signal);
  };
  return {
    send: async (request) => {
      const sent = asked(request);
      try {
        const answer = handler(sent);
        return answerOf(sent, answer instanceof Promise ? await sent.orGone(answer) : answer);
      } catch (error) {
        sent.release();
        if (sent.isGone) throw sent.reason;
        // On a socket the stream would be cut: the server did not even manage to fail.
        throw new ConnectionError(`the server gave no answer: ${sentenceOf(error)}`, 'cut', { cause: error });
      }
    },
    ...(viewer !== undefined && { view: (request) => viewer(asked(request)) }),
    close: () => {
      closing.abort(new ConnectionError('the client is closed', 'unreachable'));
      return Promise.resolve();
    },
  };
}

function answerOf(request: InProcessRequest, { status, headers, body }: ApiResponse): TransportResponse {
  if ('start' in body) return { status, headers: joined(headers), body: streamedBody(body, request) };
  request.release();
  return { status, headers: joined(headers), body: wholeBody(body instanceof Uint8Array ? [body] : body) };
}

function joined(headers: ApiResponse['headers']): Record<string, string> {
  const single: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    single[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return single;
}

/** What a server pushes, for a reader that pulls: the server waits while the reader does. */
function streamedBody(stream: ResponseStream, request: InProcessRequest): AsyncIterable<Uint8Array> {
  const drain: (() => void)[] = [];
  const close: (() => void)[] = [];
  const over = (): void => {
    request.release();
    request.signal.removeEventListener('abort', cut);
    for (const listener of close.splice(0)) listener();
  };
  const queue = new BodyQueue({
    drained: () => drain.forEach((listener) => listener()),
    cancelled: () => {
      over();
      request.cancel();
    },
  });
  const cut = (): void => {
    queue.fail(request.reason);
    over();
  };
  request.signal.addEventListener('abort', cut, { once: true });
  stream.start({
    write: (chunk) => queue.push(chunk),
    end: () => {
      queue.end();
      over();
    },
    fail: (error) => {
      queue.fail(error);
      over();
    },
    onDrain: (listener) => drain.push(listener),
    onClose: (listener) => close.push(listener),
  });
  return queue;
}
