import type { Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import type { Indexes } from './informer/label-index.ts';
import type { Outlined } from './informer/object-source.ts';
import type { Plan } from './plan.ts';
import type { TurnObserver } from './work-loop.ts';

/** Reads from informers: local and synchronous, possibly a moment behind the server. */
export interface Cache {
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey): Readonly<T> | undefined;
  list<T extends KubeObject>(kind: Kind<T>, by?: Selection): readonly Readonly<T>[];
  /** The objects that the named index has under this value. */
  indexed<T extends KubeObject>(kind: Kind<T>, index: string, value: string): readonly Readonly<T>[];
  /** The keys of these objects, without reading them. */
  keys(kind: Kind, index: string, value: string): readonly ObjectKey[];
  /** How many objects the named index has under this value, without reading them. */
  count(kind: Kind, index: string, value: string): number;
  /**
   * What `summarize` makes of each object that the named index has under this value, in the order of their keys. A server in this process
   * parses an object for it once, and keeps the summary until the object changes. So it should be small, and the function always the same.
   */
  summaries<T extends KubeObject, S extends object>(
    kind: Kind<T>,
    index: string,
    value: string,
    summarize: (object: Readonly<T>) => S,
  ): readonly S[];
  /** Like `indexed`, but only kind, apiVersion and metadata, of a kind that is watched with `keepsMetadata`. Parses nothing. */
  indexedMetadata(kind: Kind, index: string, value: string): readonly Readonly<KubeObject>[];
}

export interface Selection {
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Watched {
  readonly kind: Kind;
  /**
   * The keys to reconcile after a change. `old` is undefined for an addition, `now` for a deletion. The cache answers which other
   * objects the change concerns, for instance those that select it.
   */
  readonly concerns: (now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache) => Iterable<ObjectKey>;
  /**
   * A shortcut of `concerns` for objects that exist when the controller starts, which a server in this process then need not parse: the keys to
   * reconcile for one of them. Default: `concerns` gets each of them as an addition.
   */
  readonly existing?: (found: Outlined) => Iterable<ObjectKey>;
  /**
   * How long after a change the key is reconciled, in milliseconds, so that changes that come together cost one reconcile. Default: 0.
   */
  readonly afterMs?: (key: ObjectKey, cache: Cache) => number;
  /** Only kind, apiVersion and metadata are needed. */
  readonly metadataOnly?: boolean;
  /** Keeps the metadata of all objects for `indexedMetadata`: for large objects, which a server in this process parses for each read. */
  readonly keepsMetadata?: boolean;
  /** Limits the watch to these objects: `metadata.name=default`. */
  readonly fieldSelector?: string;
  /** Index functions by name; an object is found under the values that they return. Shared by all controllers of a process. */
  readonly indexes?: Indexes;
}

/** Something beside the watches that a decision depends on, and that requests a reconcile when it changes. */
export interface Source {
  /** Calls `wake` with each key to reconcile. Call the result to stop. */
  readonly subscribe: (wake: (key: ObjectKey) => void) => () => void;
  /** False while work is under way that may wake a key. */
  readonly isAtRest: () => boolean;
  /** Called when a controller has stopped that uses it: once by each, if several do. */
  readonly stop?: () => Promise<void>;
}

/** For `concerns`: a change of an object concerns the key of that object. */
export function itself(now: KubeObject | undefined, old: KubeObject | undefined): ObjectKey[] {
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  return [{ namespace, name }];
}

/**
 * A controller is a name, its watches, `observe` and `decide`. The runtime does everything else: queueing, retries, back-off,
 * metrics, logs and the writes of plans.
 */
export interface Controller<State = unknown> {
  readonly name: string;
  readonly watches: readonly Watched[];
  /** `observe` may read them, too. */
  readonly sources?: readonly Source[];
  /** Reads all that the decision needs. Undefined if there is nothing to decide. */
  readonly observe: (key: ObjectKey, cache: Cache) => State | undefined;
  /** Pure: the same state and time give the same plan. */
  decide(state: State, now: Date): Plan;
  /** Of the first kind that it watches: whether this object gives it something to do. Only asked while it sleeps. Default: yes. */
  readonly wakes?: (object: Readonly<KubeObject>) => boolean;
  /** How many keys are reconciled at once. Default: 1. */
  readonly workers?: number;
  /** Of the metrics that count and time its reconciles. Default: `controller_runtime`. */
  readonly metricsPrefix?: string;
  readonly observer?: TurnObserver;
  /** Default: that of its client. One for all controllers of a program keeps the list of managers short, and so every write. */
  readonly fieldManager?: string;
  /** The source component of its events. Default: the controller's name. */
  readonly eventSource?: string;
}
