import type { Controller } from './controller.ts';
import type { HeldInformer } from './informer/informer-set.ts';
import { RunningController, type ControllerDependencies, type ControllerHealth } from './running-controller.ts';

/**
 * A controller that runs from the first object of its first kind on. Until then it costs one subscription: most members of a
 * large fleet have no object of most kinds.
 */
export class SleepingController {
  readonly #controller: Controller;
  readonly #dependencies: ControllerDependencies;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;
  #running: RunningController | undefined;
  #isStopped = false;
  /** Resolves when it has nothing to run for, or runs. */
  readonly ready: Promise<void>;

  constructor(controller: Controller, dependencies: ControllerDependencies) {
    const [first] = controller.watches;
    if (first === undefined) throw new RangeError(`controller ${controller.name} watches nothing`);
    this.#controller = controller;
    this.#dependencies = dependencies;
    const { kind, metadataOnly = false, fieldSelector } = first;
    this.#held = dependencies.informers.hold(kind, { metadataOnly, fieldSelector });
    const { informer } = this.#held;
    this.#unsubscribe = informer.subscribe((now) => {
      if (this.#running === undefined && now !== undefined && (controller.wakes?.(now) ?? true)) this.#wake();
    });
    this.ready = informer.whenReady().then(() => this.#running?.ready);
  }

  health(): ControllerHealth {
    const { isSynced, failure } = this.#held.informer;
    const { name } = this.#controller;
    const informerFailures = failure === undefined ? [] : [failure];
    return (
      this.#running?.health() ?? {
        name,
        isReady: isSynced,
        informerFailures,
        waiting: 0,
        inWork: 0,
        delayed: 0,
        failing: 0,
      }
    );
  }

  get isAtRest(): boolean {
    return this.#running?.isAtRest ?? this.#held.informer.isSynced;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#running?.stop();
    await this.#held.release();
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#running = new RunningController(this.#controller, this.#dependencies);
  }
}
