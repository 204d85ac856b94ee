import { isExpired, type Kind, type KubeObject } from '@flotilla/kube';
import { pause } from '@flotilla/timing';
import type { Session } from '../session/session.ts';

const resumeAfterMs = 1000;

/** Resolves as soon as the cluster-scoped objects of a kind, by name, satisfy `isDone`. Rejects when the session's time is over. */
export async function watchUntil<T extends KubeObject>(
  { hub, clock, signal }: Session,
  kind: Kind<T>,
  isDone: (objects: ReadonlyMap<string, T>) => boolean,
): Promise<void> {
  // A watch may end at any time.
  for (;;) {
    const { items, resourceVersion } = await hub.list(kind, { signal });
    const objects = new Map(items.map((object) => [object.metadata.name ?? '', object]));
    if (isDone(objects)) return;
    const watching = new AbortController();
    const until = AbortSignal.any([signal, watching.signal]);
    try {
      for await (const { type, object } of hub.watch(kind, { resourceVersion, signal: until })) {
        const { name = '' } = object.metadata;
        if (type === 'DELETED') objects.delete(name);
        else if (type !== 'BOOKMARK') objects.set(name, object);
        if (isDone(objects)) return;
      }
    } catch (error) {
      if (!isExpired(error)) throw error;
    } finally {
      watching.abort();
    }
    await pause(clock, resumeAfterMs, signal);
    signal.throwIfAborted();
  }
}
