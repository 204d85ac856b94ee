/**
 * Calls from the worker to the main thread that return like any function: the worker posts the arguments and sleeps until the
 * answer is there. The verbs read the store without awaiting, and this lets them run in the worker as they are. The main thread
 * never waits for the worker.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { HostFunctions } from './host-functions.ts';
import { fromSent, toSent } from './serialized-error.ts';
import type { SentError } from './thread-messages.ts';

type FunctionName = keyof HostFunctions;

interface Question {
  readonly server: number;
  readonly name: FunctionName;
  readonly args: readonly unknown[];
}

type Reply = { readonly value: unknown } | { readonly error: SentError };

/** Shared memory of one integer: 0 while the worker waits, 1 once its answer was posted. */
const flagBytes = 4;

export interface HostLine {
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

export function newFlag(): SharedArrayBuffer {
  return new SharedArrayBuffer(flagBytes);
}

/** The worker's end: `HostFunctions` of one server. */
export function hostFunctions({ port, flag }: HostLine, server: number): HostFunctions {
  const waiting = new Int32Array(flag);
  const call = (name: FunctionName, args: readonly unknown[]): unknown => {
    Atomics.store(waiting, 0, 0);
    port.postMessage({ server, name, args } satisfies Question);
    while (Atomics.load(waiting, 0) === 0) Atomics.wait(waiting, 0, 0);
    const received = receiveMessageOnPort(port);
    if (!received) throw new Error(`the main thread did not answer ${name}`);
    const message = received.message as Reply;
    if ('error' in message) throw fromSent(message.error);
    return message.value;
  };
  return new Proxy({} as HostFunctions, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(name as FunctionName, args),
  });
}

/** The main thread's end. */
export function answerHostCalls({ port, flag }: HostLine, functionsOf: (server: number) => HostFunctions): void {
  const waiting = new Int32Array(flag);
  port.on('message', ({ server, name, args }: Question) => {
    port.postMessage(replyOf(() => (functionsOf(server)[name] as (...args: unknown[]) => unknown)(...args)));
    Atomics.store(waiting, 0, 1);
    Atomics.notify(waiting, 0);
  });
  port.unref();
}

function replyOf(call: () => unknown): Reply {
  try {
    return { value: call() };
  } catch (error) {
    return { error: toSent(error) };
  }
}
