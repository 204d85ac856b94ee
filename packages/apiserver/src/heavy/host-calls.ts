/**
 * Synchronous calls from the worker to the main thread: the worker posts the arguments and sleeps until the answer arrives. So the
 * verbs, which read the store without awaiting, run unchanged in the worker. The main thread never waits for the worker.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { HostFunctions } from './host-functions.ts';
import { deserializeError, serializeError } from './serialized-error.ts';
import type { SerializedError } from './thread-messages.ts';

type FunctionName = keyof HostFunctions;

interface HostCall {
  readonly server: number;
  readonly name: FunctionName;
  readonly args: readonly unknown[];
}

type Reply = { readonly value: unknown } | { readonly error: SerializedError };

/** Size of the flag in shared memory: 0 while the worker waits, 1 once the answer is posted. */
const flagBytes = 4;

export interface HostChannel {
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

/** What the worker starts with. */
export interface WorkerStart extends HostChannel {
  /** For the admission plugins of the host program. */
  readonly pluginSettings?: unknown;
}

export function newFlag(): SharedArrayBuffer {
  return new SharedArrayBuffer(flagBytes);
}

/** For the worker: the `HostFunctions` of one server. */
export function hostFunctions({ port, flag }: HostChannel, server: number): HostFunctions {
  const waiting = new Int32Array(flag);
  const call = (name: FunctionName, args: readonly unknown[]): unknown => {
    Atomics.store(waiting, 0, 0);
    port.postMessage({ server, name, args } satisfies HostCall);
    while (Atomics.load(waiting, 0) === 0) Atomics.wait(waiting, 0, 0);
    const received = receiveMessageOnPort(port);
    if (!received) throw new Error(`the main thread did not answer ${name}`);
    const message = received.message as Reply;
    if ('error' in message) throw deserializeError(message.error);
    return message.value;
  };
  return new Proxy({} as HostFunctions, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(name as FunctionName, args),
  });
}

/** For the main thread: answers the calls of the worker. */
export function answerHostCalls({ port, flag }: HostChannel, functionsOf: (server: number) => HostFunctions): void {
  const waiting = new Int32Array(flag);
  port.on('message', ({ server, name, args }: HostCall) => {
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
    return { error: serializeError(error) };
  }
}
