/** Maps a change to its namespace, for controllers keyed by namespace. */
import type { KubeObject, ObjectKey } from '@flotilla/kube';

type Changed = KubeObject | undefined;

export function namespaceItself(now: Changed, old: Changed): Iterable<ObjectKey> {
  return [{ name: (now ?? old)?.metadata.name ?? '' }];
}

export function namespaceOf(now: Changed, old: Changed): Iterable<ObjectKey> {
  return [{ name: (now ?? old)?.metadata.namespace ?? '' }];
}

/** For controllers that need to know only that an object is gone. */
export function namespaceOfDeleted(now: Changed, old: Changed): Iterable<ObjectKey> {
  return now === undefined ? namespaceOf(now, old) : [];
}
