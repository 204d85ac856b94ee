import type { Client } from '@flotilla/client';
import { onceForEqual, type BuiltinsView, type Kind, type LiveView } from '@flotilla/kube';
import type { Controller } from './controller.ts';
import { BuiltinsSource } from './informer/builtins-source.ts';
import type { ObjectChange, ReadonlyObject } from './informer/object-source.ts';
import { RunningController, type ControllerDependencies, type ControllerHealth } from './running-controller.ts';

export interface SleepingDependencies extends ControllerDependencies {
  readonly viewBuiltins: NonNullable<Client['viewBuiltins']>;
  readonly random: () => number;
  /** They have nothing to do for objects up to this revision. */
  readonly restedAt?: number | undefined;
}

/** The positions of each text in a list of texts. The members of a fleet have the same controllers, and share this. */
const positionsOf = onceForEqual<string[], ReadonlyMap<string, readonly number[]>>(
  (texts) => Map.groupBy(texts.keys(), (at) => texts[at] ?? ''),
  16,
);

/**
 * Controllers of which each runs from the first object of its first kind on. All that sleep together cost one view of the server: most
 * members of a large fleet have no object of most kinds.
 */
export class SleepingControllers {
  readonly #controllers: readonly Controller[];
  readonly #dependencies: SleepingDependencies;
  readonly #source: BuiltinsSource;
  readonly #running = new Map<Controller, RunningController>();
  /** Positions of controllers by the plural of the first kind. */
  readonly #positions: ReadonlyMap<string, readonly number[]>;
  #isOpen = false;
  /** Whether it looks for existing objects that wake a controller. */
  #isChecking = false;
  #isStopped = false;
  readonly #opened = Promise.withResolvers<void>();
  /** Resolves when each has nothing to run for, or runs. */
  readonly ready: Promise<void>;

  constructor(controllers: readonly Controller[], dependencies: SleepingDependencies) {
    const { viewBuiltins, clock, random, logger, restedAt } = dependencies;
    this.#controllers = controllers;
    this.#positions = positionsOf(controllers.map((controller) => firstKindOf(controller).plural));
    this.#dependencies = dependencies;
    this.#source = new BuiltinsSource({ viewBuiltins, clock, random, logger, after: restedAt });
    this.ready = this.#start();
  }

  health(): readonly ControllerHealth[] {
    const { failure } = this.#source;
    const idle = { waiting: 0, inWork: 0, delayed: 0, failing: 0 };
    const informerFailures = failure === undefined ? [] : [failure];
    return this.#controllers.map(
      (controller) =>
        this.#running.get(controller)?.health() ?? {
          name: controller.name,
          isReady: this.#isOpen,
          informerFailures,
          ...idle,
        },
    );
  }

  get isAtRest(): boolean {
    if (!this.#isOpen) return false;
    for (const { isAtRest } of this.#running.values()) if (!isAtRest) return false;
    return true;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#source.stop();
    this.#opened.resolve();
    await Promise.all(Array.from(this.#running.values(), (controller) => controller.stop()));
  }

  get #asleep(): readonly Controller[] {
    return this.#controllers.filter((controller) => !this.#running.has(controller));
  }

  async #start(): Promise<void> {
    this.#source.start({
      changed: (kind, change) => this.#changed(kind, change),
      opened: (view) => void this.#wakeForExisting(view),
      synced: (view) => {
        for (const controller of this.#asleep)
          if (view.of(firstKindOf(controller)) === undefined) this.#wake(controller);
        if (!this.#isChecking) this.#setOpen();
      },
    });
    await this.#opened.promise;
    await Promise.all(Array.from(this.#running.values(), ({ ready }) => ready));
  }

  async #wakeForExisting(view: BuiltinsView): Promise<void> {
    this.#isChecking = true;
    for (const controller of this.#asleep) {
      const objects = view.of(firstKindOf(controller));
      const shouldWake = objects !== undefined && objects.size() > 0 && (await this.#isWoken(controller, objects));
      if (this.#isStopped) return;
      if (shouldWake && !this.#running.has(controller)) this.#wake(controller);
    }
    this.#isChecking = false;
    this.#setOpen();
  }

  #setOpen(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  async #isWoken(controller: Controller, objects: LiveView): Promise<boolean> {
    const { turns } = this.#dependencies;
    if (controller.wakes === undefined) return true;
    for (const object of objects.all()) {
      if (turns.isOver()) await turns.next();
      if (this.#isStopped || this.#wakes(controller, object)) return true;
    }
    return false;
  }

  /** A controller that runs handles its own errors, so one that cannot decide is woken. */
  #wakes({ name, wakes }: Controller, object: ReadonlyObject): boolean {
    try {
      return wakes?.(object) ?? true;
    } catch (error) {
      this.#dependencies.logger.error('wakes threw, controller woken', { controller: name, error });
      return true;
    }
  }

  #changed(kind: Kind, change: ObjectChange): void {
    const positions = this.#positions.get(kind.plural);
    if (positions === undefined || change.isGone) return;
    for (const at of positions) {
      const controller = this.#controllers[at];
      if (controller === undefined || this.#running.has(controller)) continue;
      const object = firstKindOf(controller).group === kind.group ? change.now() : undefined;
      if (object === undefined || !this.#wakes(controller, object)) continue;
      this.#wake(controller).changed(change);
    }
  }

  #wake(controller: Controller): RunningController {
    const running = new RunningController(controller, this.#dependencies);
    this.#running.set(controller, running);
    return running;
  }
}

function firstKindOf({ name, watches: [first] }: Controller): Kind {
  if (first === undefined) throw new RangeError(`controller ${name} watches nothing`);
  return first.kind;
}
