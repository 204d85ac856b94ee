import type { MessagePort } from 'node:worker_threads';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Outcome {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: Error;
}

type Callable = (argument: never) => unknown;

/** Calls functions of another thread, which `answerCalls` has there. Arguments and results are plain data. */
export class ThreadCalls<Functions extends { readonly [Name in keyof Functions]: Callable }> {
  readonly #send: (call: Call) => void;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;
  #ended: Error | undefined;

  /** `ended` is the error of calls that the other thread does not survive. */
  constructor(port: MessagePort, ended: string) {
    this.#send = (call) => port.postMessage(call);
    port.on('message', ({ id, value, failure }: Outcome) => {
      const pending = this.#pending.get(id);
      this.#pending.delete(id);
      if (failure) pending?.reject(failure);
      else pending?.resolve(value);
    });
    port.on('close', () => {
      this.#ended = new Error(ended);
      for (const { reject } of this.#pending.values()) reject(this.#ended);
      this.#pending.clear();
    });
  }

  call<Name extends keyof Functions & string>(
    name: Name,
    argument: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    this.#send({ id, name, argument });
    return pending.promise as Promise<Awaited<ReturnType<Functions[Name]>>>;
  }
}

/** Answers the calls of another thread. */
export function answerCalls<Functions extends { readonly [Name in keyof Functions]: Callable }>(
  port: MessagePort,
  functions: Functions,
): void {
  const answer = async ({ id, name, argument }: Call): Promise<void> => {
    try {
      const value = await functions[name as keyof Functions](argument as never);
      port.postMessage({ id, value } satisfies Outcome);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ id, failure } satisfies Outcome);
    }
  };
  port.on('message', (call: Call) => void answer(call));
}
