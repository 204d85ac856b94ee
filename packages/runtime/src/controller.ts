import type { Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import type { Plan } from './plan.ts';

/** Reads from informers: local, at once, possibly a moment old. */
export interface Cache {
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Readonly<T> | undefined;
  list<T extends KubeObject>(kind: Kind<T>, by?: Selection): readonly Readonly<T>[];
  /** Objects that an index of this name has under this value. */
  indexed<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly Readonly<T>[];
}

export interface Selection {
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Watched {
  readonly kind: Kind;
  /** Which of the controller's own objects a change concerns. `old` is undefined for an addition, `now` for a deletion. */
  readonly concerns: (now: KubeObject | undefined, old: KubeObject | undefined) => Iterable<ObjectKey>;
  /** Only kind, apiVersion and metadata are needed. */
  readonly metadataOnly?: boolean;
  /** Only these objects are looked at, and others cost nothing: `metadata.name=default`. */
  readonly fieldSelector?: string;
  /** By name: the values under which an object is found again. Shared by all controllers of a process. */
  readonly indexes?: Readonly<Record<string, (object: KubeObject) => Iterable<string>>>;
}

/** For `concerns`: a change of an object concerns the key of that object. */
export function itself(now: KubeObject | undefined, old: KubeObject | undefined): ObjectKey[] {
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  return [{ namespace, name }];
}

/**
 * A controller is four facts. The runtime owns everything else: queueing, retries, back-off, metrics, logs and the writing
 * of plans.
 */
export interface Controller<State = unknown> {
  readonly name: string;
  readonly watches: readonly Watched[];
  /** Gathers all that the decision needs. Undefined when there is nothing to decide. */
  readonly observe: (key: ObjectKey, cache: Cache) => State | undefined;
  /** Pure: the same state at the same moment gives the same plan. */
  decide(state: State, now: Date): Plan;
  /** How many keys may be in work at once; 1 when left out. */
  readonly workers?: number;
  /** Under which the server records what it writes; its name when left out. */
  readonly fieldManager?: string;
  /** Whom its events come from; its name when left out. */
  readonly eventSource?: string;
}
