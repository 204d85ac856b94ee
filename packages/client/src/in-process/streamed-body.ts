import type { ResponseStream } from '@flotilla/kube';
import { BodyQueue } from '../body-queue.ts';
import type { InProcessRequest } from './in-process-request.ts';

/** What a server pushes, for a reader that pulls: the server waits while the reader does. */
export function streamedBody(stream: ResponseStream, request: InProcessRequest): AsyncIterable<Uint8Array> {
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
