import { bindingConditions, conditionOf, type Binding, type Condition } from '@flotilla/api';
import { keyText, mergePatchChanges, type JsonObject } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { currentCondition } from './binding-progress.ts';

/** Works reports sooner, also of members that do not answer. This is for the case that it fails. */
export const leftToWorksMs = 30_000;

/** A rollout that has not reported for so long does not count as being in flight: its member does not answer. */
const inFlightMs = 15_000;

/** A change of a binding that starts a rollout, and the condition that says so. */
export interface StartedRollout {
  readonly binding: Readonly<Binding>;
  /** The merge patch of its spec. */
  readonly spec: JsonObject;
  /** RolloutStarted, about the generation that the change makes. */
  readonly condition: Condition;
}

/** A plan whose writes start rollouts. */
export interface StartingPlan extends Plan {
  readonly started?: readonly StartedRollout[];
}

export interface LeftToWorks {
  readonly bindings: readonly Readonly<Binding>[];
  /** When the first of them is no longer left to works; undefined if none is. */
  readonly leftForMs?: number | undefined;
}

interface Announced extends Omit<StartedRollout, 'binding'> {
  readonly endsAt: number;
}

/**
 * Rollouts that have started, and whose bindings do not say so yet. Works serves them at once, and writes the condition together with its
 * own report, which saves a write for each binding. The stage that has started a rollout writes it if works does not. Nothing is lost with
 * the process: after a restart that stage finds the binding without its condition.
 */
export class StartedRollouts {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** By the name of the binding, since new ones have no uid yet. */
  readonly #announced = new Map<string, Announced>();
  /** When they were announced, of those that may be in flight: the earliest first. */
  readonly #inFlight = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Returns the plan without them. Call it before the plan is performed: a change may be seen before its response is. */
  announce({ started = [], ...plan }: StartingPlan): Plan {
    const now = this.#clock.elapsed();
    for (const { binding, spec, condition } of started) {
      const key = keyIn(binding);
      this.#announced.set(key, { spec, condition, endsAt: now + leftToWorksMs });
      this.#inFlight.delete(key);
      this.#inFlight.set(key, now);
    }
    return plan;
  }

  /** How many have started and not reported, without those that are overdue. */
  get inFlight(): number {
    const since = this.#clock.elapsed() - inFlightMs;
    for (const [key, at] of this.#inFlight) {
      if (at > since) break;
      this.#inFlight.delete(key);
    }
    return this.#inFlight.size;
  }

  /** Calls the listener when a rollout has reported. Call the result to stop. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether its rollout has started, and it does not say so yet. */
  isAnnounced(binding: Readonly<Binding>): boolean {
    return this.#of(binding) !== undefined;
  }

  /** The binding with the condition that was announced for it. */
  shown<B extends Readonly<Binding>>(binding: B): B {
    const announced = this.#of(binding);
    return announced === undefined ? binding : withAnnounced(binding, announced.condition);
  }

  /** The bindings as the stages see them that start rollouts: what is left to works need not be said again. */
  left(bindings: readonly Readonly<Binding>[]): LeftToWorks {
    if (this.#announced.size === 0) return { bindings };
    const now = this.#clock.elapsed();
    let forMs = Infinity;
    const shown = bindings.map((binding) => {
      const announced = this.#of(binding);
      const ms = announced === undefined ? 0 : announced.endsAt - now;
      if (announced === undefined || ms <= 0) return binding;
      forMs = Math.min(forMs, ms);
      return withAnnounced(binding, announced.condition);
    });
    return forMs === Infinity ? { bindings } : { bindings: shown, leftForMs: forMs };
  }

  /** Call it for every change of a binding: what it says itself need not be kept. */
  changed(now: Readonly<Binding> | undefined, old: Readonly<Binding> | undefined): void {
    if (this.#announced.size === 0) return;
    if (now === undefined || isSaid(now)) this.#forget(now ?? old);
  }

  #forget(binding: Readonly<Binding> | undefined): void {
    if (binding === undefined) return;
    const key = keyIn(binding);
    this.#announced.delete(key);
    if (!this.#inFlight.delete(key)) return;
    for (const listener of this.#listeners) listener();
  }

  /** Undefined if another change made the generation: only the condition that belongs to this spec is true. */
  #of(binding: Readonly<Binding>): Announced | undefined {
    const announced = this.#announced.get(keyIn(binding));
    if (announced === undefined || announced.condition.observedGeneration !== binding.metadata.generation)
      return undefined;
    return isSaid(binding) || mergePatchChanges(binding, { spec: announced.spec }) ? undefined : announced;
  }
}

function keyIn({ metadata: { namespace, name = '' } }: Readonly<Binding>): string {
  return keyText({ namespace, name });
}

function isSaid(binding: Readonly<Binding>): boolean {
  return currentCondition(binding, bindingConditions.rolloutStarted) !== undefined;
}

function withAnnounced<B extends Readonly<Binding>>(binding: B, condition: Condition): B {
  const { conditions = [] } = binding.status ?? {};
  const before = conditionOf(conditions, condition.type);
  const after =
    before === undefined ? [...conditions, condition] : conditions.map((one) => (one === before ? condition : one));
  return { ...binding, status: { ...binding.status, conditions: after } };
}
