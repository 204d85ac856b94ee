import type { JsonObject, KubeObject } from '@flotilla/kube';

/** An event of the core group, which is also the stored form. */
export interface CoreEvent {
  readonly involvedObject?: ObjectReference;
  readonly related?: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly action?: string;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

interface EventSeries {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
}

interface ObjectReference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export function coreEventOf(object: KubeObject): CoreEvent {
  return object as KubeObject & CoreEvent;
}

/** The reference as Go prints the struct in an error. */
export function referenceInGo(reference: ObjectReference): JsonObject {
  return {
    Kind: reference.kind ?? '',
    Namespace: reference.namespace ?? '',
    Name: reference.name ?? '',
    UID: reference.uid ?? '',
    APIVersion: reference.apiVersion ?? '',
    ResourceVersion: reference.resourceVersion ?? '',
    FieldPath: reference.fieldPath ?? '',
  };
}
