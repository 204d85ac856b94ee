import type { Client } from '@flotilla/client';
import type { Kind, KubeObject } from '@flotilla/kube';

/** Follows objects from now on. `all` resolves when each of these names was done after that. A deleted object is undefined. */
export async function followUntil<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  names: readonly string[],
  isDone: (object: T | undefined) => boolean,
): Promise<{ readonly all: Promise<void> }> {
  const { resourceVersion } = await client.list(kind, { limit: 1, metadataOnly: true });
  const waiting = new Set(names);
  const watching = new AbortController();
  const follow = async (): Promise<void> => {
    const { signal } = watching;
    for await (const { type, object } of client.watch(kind, { resourceVersion, signal })) {
      if (isDone(type === 'DELETED' ? undefined : object)) waiting.delete(object.metadata.name ?? '');
      if (waiting.size === 0) watching.abort();
    }
  };
  return { all: follow() };
}
