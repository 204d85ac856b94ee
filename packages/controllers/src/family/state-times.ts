import {
  keyText,
  type Gauge,
  type Kind,
  type KubeObject,
  type MetricFamily,
  type MetricsRegistry,
} from '@flotilla/kube';
import type { HeldInformer, InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface StateTimesDependencies {
  readonly informers: InformerSet;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
}

/** Keeps one series for each object: its state, and when it last changed. KubeFleet keeps one for each state that an object ever had. */
export class StateTimes {
  readonly #times: MetricFamily<Gauge>;
  readonly #clock: Clock;
  readonly #labels = new Map<string, readonly string[]>();

  constructor(times: MetricFamily<Gauge>, clock: Clock) {
    this.#times = times;
    this.#clock = clock;
  }

  /** The state as values of labels; undefined if the object is gone or has no state yet. */
  set(kind: Kind, object: Readonly<KubeObject>, state: readonly string[] | undefined): void {
    const { namespace, name = '' } = object.metadata;
    const key = `${kind.kind} ${keyText({ namespace, name })}`;
    const before = this.#labels.get(key);
    if (before !== undefined && before.join() !== state?.join()) this.#times.without(...before);
    if (state === undefined) this.#labels.delete(key);
    else {
      this.#labels.set(key, state);
      this.#times.with(...state).set(this.#clock.now() / 1000);
    }
  }
}

/** Calls `observe` for each change of objects of these kinds. Call the result to stop. */
export function observeChanges(
  informers: InformerSet,
  kinds: readonly Kind[],
  observe: (kind: Kind, now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined) => void,
): HeldInformer['release'] {
  const stops = kinds.map((kind) => {
    const { informer, release } = informers.hold(kind);
    const unsubscribe = informer.subscribe((now, old) => observe(kind, now, old));
    return async () => {
      unsubscribe();
      await release();
    };
  });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
