import type { ApiError, JsonObject, Kind, KubeObject, ObjectKey } from '@flotilla/kube';

/** One change to the API server. Updates and deletes carry the resourceVersion or uid that was observed. */
export type Write = (
  | {
      readonly verb: 'create';
      readonly kind: Kind;
      readonly object: KubeObject;
      /** Posts the object to this subresource of the object with its name: the `binding` of a pod. */
      readonly subresource?: string;
    }
  | { readonly verb: 'update'; readonly kind: Kind; readonly object: KubeObject; readonly subresource?: string }
  | {
      readonly verb: 'patch';
      readonly kind: Kind;
      readonly key: ObjectKey;
      /** A merge patch; it carries the observed resourceVersion or uid in its metadata. */
      readonly patch: JsonObject;
      /** Whether it carries the resourceVersion that an earlier step of the plan made, if one did, in place of the observed one. */
      readonly isFollowUp?: boolean;
      readonly subresource?: string;
    }
  | {
      /** Replaces a part of an object that is not watched, whatever the rest of it is. Sent even if it changes nothing. */
      readonly verb: 'json-patch';
      readonly kind: Kind;
      readonly key: ObjectKey;
      readonly operations: readonly JsonObject[];
      readonly subresource?: string;
    }
  | {
      readonly verb: 'delete';
      readonly kind: Kind;
      readonly key: ObjectKey;
      readonly uid: string;
      readonly resourceVersion?: string;
      readonly gracePeriodSeconds?: number;
      readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
    }
) & {
  /** Recorded when this write succeeds, whatever happens to the others. */
  readonly event?: PlannedEvent;
};

/**
 * What a controller wants done. The writes of a step run concurrently, steps in order. If a write fails, the plan ends after its
 * step, and the next reconcile decides anew. A plan without writes means that nothing must change.
 */
export interface Plan {
  readonly steps: readonly (readonly Write[])[];
  /** Recorded when all steps are done. */
  readonly events?: readonly PlannedEvent[];
  readonly requeueAfterMs?: number;
  /** What to do instead of the rest if the server refuses a write, except in a lost race. */
  readonly refused?: (error: ApiError) => Refusal;
}

export interface Refusal extends Pick<Plan, 'steps' | 'events'> {
  /** Whether only a change of the observed objects can help. Otherwise the key is retried with back-off. Default: false. */
  readonly awaitsChange?: boolean;
}

export interface PlannedEvent {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** What the source did, in one word. */
  readonly action?: string;
  /** Another object that the event is about. */
  readonly related?: Readonly<KubeObject>;
  /** The part of the object: `spec.containers{web}`. */
  readonly fieldPath?: string;
  /** The node of a source that runs on every node. */
  readonly host?: string;
}

export const nothingToDo: Plan = { steps: [] };
