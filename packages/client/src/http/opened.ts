import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/timing';

/** Go's, which client-go uses. */
const withinMs = { connect: 30_000, secureConnect: 10_000 };

/** The socket itself, once it is one; a socket that takes too long is given up. */
export function opened<S extends Socket>(socket: S, clock: Clock, event: 'connect' | 'secureConnect'): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      cancel();
      socket.removeListener('error', fail);
      socket.removeListener('close', end);
      socket.removeListener(event, succeed);
    };
    const succeed = (): void => {
      settle();
      resolve(socket);
    };
    const fail = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const end = (): void => fail(new Error('the connection was closed before it was ready'));
    const cancel = clock.after(withinMs[event], () => fail(new Error(`no answer within ${withinMs[event] / 1000} s`)));
    // Whoever uses the socket listens himself; while nobody does, its end is of no interest.
    socket.on('error', () => undefined);
    socket.once('error', fail);
    socket.once('close', end);
    socket.once(event, succeed);
  });
}
