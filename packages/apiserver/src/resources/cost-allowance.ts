import type { Bindings, Evaluation, Program } from '@flotilla/cel';

/** How the worker for heavy requests runs a request that this thread gives up. */
export interface WorkerRetry {
  /** The error to throw. The worker runs the request from the start. */
  tooHeavy(): Error;
  isTooHeavy(error: unknown): boolean;
}

/**
 * What the expressions of an admission phase, or the rules of a definition, may cost in the thread that serves all requests. An expression over an ordinary object costs some
 * hundreds. The slowest functions take 0.2 µs for each unit, so that this is at most 5 ms.
 */
export const costInMainThread = 25_000;

/**
 * Evaluates expressions for a request. Where they cost too much for this thread, throws the error that lets the worker for heavy
 * requests run the request from the start. Without a worker there is no limit but Kubernetes' own.
 */
export class CostAllowance {
  readonly #retry: Pick<WorkerRetry, 'tooHeavy'> | undefined;
  #left: number;

  constructor({ retry }: { readonly retry?: Pick<WorkerRetry, 'tooHeavy'> | undefined }) {
    this.#retry = retry;
    this.#left = retry ? costInMainThread : Infinity;
  }

  evaluate(program: Program, bindings: Bindings, costLimit: number): Evaluation {
    const evaluation = program.evaluate(bindings, { costLimit: Math.min(costLimit, this.#left) });
    this.#left -= evaluation.cost;
    if (this.#retry && this.#left < 0) throw this.#retry.tooHeavy();
    return evaluation;
  }
}
