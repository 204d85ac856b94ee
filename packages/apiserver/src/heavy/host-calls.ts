/**
 * Synchronous calls from the worker to the main thread: the worker posts the arguments and sleeps until the answer arrives. So the
 * verbs, which read the store without awaiting, run unchanged in the worker. The main thread never waits for the worker.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { HostFunctions } from './host-functions.ts';
import { deserializeError, serializeError } from './serialized-error.ts';
import type { SerializedError } from './thread-messages.ts';

type FunctionName = keyof HostFunctions;

export interface HostCall {
  readonly server: number;
  readonly name: FunctionName;
  readonly args: readonly unknown[];
}

type Reply = { readonly value: unknown } | { readonly error: SerializedError };

/** Two numbers in shared memory. The first is 0 while the worker waits, 1 once the answer is posted. The second counts news. */
const flagBytes = 8;
const answered = 0;
const news = 1;

export interface HostChannel {
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

/** For the main thread: a cursor of the worker that had no event has one now. */
export function announceNews(flag: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(flag), news, 1);
}

/** For the worker: while the number is the same, cursors without events still have none. */
export function newsIn(flag: SharedArrayBuffer): number {
  return Atomics.load(new Int32Array(flag), news);
}

/** They only count. Their calls go with the worker's next answer, so that the worker does not wait for each of them. */
const counting: ReadonlySet<PropertyKey> = new Set<FunctionName>([
  'pluginsRan',
  'webhookCalled',
  'webhookFailedOpen',
  'webhookExcluded',
  'policyValidated',
  'policyMutated',
  'conditionsEvaluated',
]);

/** What the worker starts with. */
export interface WorkerStart extends HostChannel {
  /** For the admission plugins of the host program. */
  readonly pluginSettings?: unknown;
}

export function newFlag(): SharedArrayBuffer {
  return new SharedArrayBuffer(flagBytes);
}

/** For the worker: the `HostFunctions` of one server. Adds calls that only count to `counted`. */
export function hostFunctions({ port, flag }: HostChannel, server: number, counted: HostCall[]): HostFunctions {
  const waiting = new Int32Array(flag);
  const call = (name: FunctionName, args: readonly unknown[]): unknown => {
    Atomics.store(waiting, answered, 0);
    port.postMessage({ server, name, args } satisfies HostCall);
    while (Atomics.load(waiting, answered) === 0) Atomics.wait(waiting, answered, 0);
    const received = receiveMessageOnPort(port);
    if (!received) throw new Error(`the main thread did not answer ${name}`);
    const message = received.message as Reply;
    if ('error' in message) throw deserializeError(message.error);
    return message.value;
  };
  return new Proxy({} as HostFunctions, {
    get: (_, property) => {
      const name = property as FunctionName;
      if (counting.has(name)) return (...args: unknown[]) => void counted.push({ server, name, args });
      return (...args: unknown[]) => call(name, args);
    },
  });
}

/** For the main thread: answers the calls of the worker. */
export function answerHostCalls({ port, flag }: HostChannel, functionsOf: (server: number) => HostFunctions): void {
  const waiting = new Int32Array(flag);
  port.on('message', ({ server, name, args }: HostCall) => {
    port.postMessage(replyOf(() => perform(functionsOf(server), name, args)));
    Atomics.store(waiting, answered, 1);
    Atomics.notify(waiting, answered);
  });
  port.unref();
}

/** For the main thread: performs the calls that came with an answer. Those to a server that was stopped are dropped. */
export function performCounted(
  counted: readonly HostCall[],
  functionsOf: (server: number) => HostFunctions | undefined,
): void {
  for (const { server, name, args } of counted) {
    const functions = functionsOf(server);
    if (functions) perform(functions, name, args);
  }
}

function perform(functions: HostFunctions, name: FunctionName, args: readonly unknown[]): unknown {
  return (functions[name] as (...args: readonly unknown[]) => unknown)(...args);
}

function replyOf(call: () => unknown): Reply {
  try {
    return { value: call() };
  } catch (error) {
    return { error: serializeError(error) };
  }
}
