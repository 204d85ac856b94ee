import { jsonEquals, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';

/** The status that Kubernetes would write now, and when it would change without an event. */
export interface NextStatus {
  readonly status: JsonObject;
  readonly requeueAfterMs?: number | undefined;
}

/** Writes the status if it differs, except on objects that are being deleted. */
export function statusPlan(kind: Kind, object: Readonly<KubeObject>, next: NextStatus): Plan {
  const { status, requeueAfterMs } = next;
  const steps = writesOf(kind, object, status);
  if (requeueAfterMs !== undefined) return { steps: [steps], requeueAfterMs };
  return steps.length === 0 ? nothingToDo : { steps: [steps] };
}

/** Writes the status if it differs, except on objects that are being deleted. */
export function writesOf(kind: Kind, object: Readonly<KubeObject>, status: JsonObject): Write[] {
  return object.metadata.deletionTimestamp === undefined ? statusWrites(kind, object, status) : [];
}

/** Writes the status if it differs, as long as the object exists. */
export function statusWrites(kind: Kind, object: Readonly<KubeObject>, status: JsonObject): Write[] {
  if (jsonEquals(object['status'] ?? {}, status)) return [];
  return [{ verb: 'update', kind, object: { ...object, status }, subresource: 'status' }];
}

/** Leaves out zero counts, as Kubernetes does. */
export function counts(all: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}
