import type { Socket } from 'node:net';

/**
 * Takes bytes off a socket until `endOf` knows where an answer ends; what follows is left for the next reader. For the few words
 * that are spoken before a socket is handed on.
 */
export function readThrough(socket: Socket, endOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
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
