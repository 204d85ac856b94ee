import {
  isMaster,
  type ApiHandler,
  type ApiResponse,
  type ApiViewer,
  type BuiltinsView,
  type ResponseStream,
  type User,
} from '@flotilla/kube';
import { BodyQueue, WholeBody } from '../body-queue.ts';
import { ConnectionError, messageOf } from '../connection-error.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { Closing } from './closing.ts';
import { InProcessRequest } from './in-process-request.ts';
import { joinedHeaders } from './joined-headers.ts';

/**
 * Sends requests to a server in the same process. They pass authentication, authorization and admission like any
 * other; only the socket is missing.
 */
export function inProcessTransport(
  handler: ApiHandler,
  user: User,
  viewer?: ApiViewer,
  viewBuiltins?: () => BuiltinsView,
): Transport {
  const closing = new Closing();
  const asked = (request: TransportRequest): InProcessRequest => {
    closing.throwIfClosed();
    request.signal?.throwIfAborted();
    return new InProcessRequest(request, user, closing);
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
        // Over HTTP the stream would be cut: the handler failed without a response.
        throw new ConnectionError(`the server failed without a response: ${messageOf(error)}`, 'cut', { cause: error });
      }
    },
    ...(viewer !== undefined && { view: (request) => viewer(asked(request)) }),
    ...(viewBuiltins !== undefined &&
      isMaster(user) && {
        viewBuiltins: () => {
          closing.throwIfClosed();
          return viewBuiltins();
        },
      }),
    close: () => {
      closing.close(new ConnectionError('the client is closed', 'unreachable'));
      return Promise.resolve();
    },
  };
}

function answerOf(request: InProcessRequest, response: ApiResponse): TransportResponse {
  const { status, headers, body, identity, sharedObject } = response;
  if ('start' in body) return { status, headers: joinedHeaders(headers), body: streamedBody(body, request) };
  request.release();
  const whole = new WholeBody(body instanceof Uint8Array ? [body] : body);
  return { status, headers: joinedHeaders(headers), body: whole, identity, sharedObject };
}

/** Adapts a stream that the server pushes to a reader that pulls, with back pressure. */
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
