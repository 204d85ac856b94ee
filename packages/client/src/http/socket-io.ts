import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/timing';

/** Go's timeouts, which client-go uses. */
const withinMs = { connect: 30_000, secureConnect: 10_000 };

/** Resolves when the socket is open. Destroys a socket that takes too long. */
export function waitUntilOpen<S extends Socket>(
  socket: S,
  clock: Clock,
  event: 'connect' | 'secureConnect',
): Promise<S> {
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
    const cancel = clock.after(withinMs[event], () => fail(new Error(`timed out after ${withinMs[event] / 1000} s`)));
    // Users of the socket add their own listener. Without this one, an error on an idle socket would end the process.
    socket.on('error', () => undefined);
    socket.once('error', fail);
    socket.once('close', end);
    socket.once(event, succeed);
  });
}

/** Reads from a socket until `endOf` finds the end of a message, and puts the rest back. For proxy handshakes. */
export function readUntil(socket: Socket, endOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const settle = (): void => {
      socket.removeListener('readable', read);
      socket.removeListener('end', fail);
      socket.removeListener('error', fail);
    };
    const fail = (error?: Error): void => {
      settle();
      reject(error ?? new Error('the proxy closed the connection'));
    };
    const read = (): void => {
      try {
        for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
          bytes = Buffer.concat([bytes, chunk]);
          const end = endOf(bytes);
          if (end === undefined) continue;
          settle();
          if (bytes.length > end) socket.unshift(bytes.subarray(end));
          resolve(bytes.subarray(0, end));
          return;
        }
      } catch (error) {
        fail(error as Error);
      }
    };
    socket.on('readable', read);
    socket.once('end', fail);
    socket.once('error', fail);
  });
}
