import type { Client } from '@flotilla/client';
import { silentLogger, type Kind, type KubeObject } from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import { systemClock } from '@flotilla/timing';

/**
 * Follows objects from now on. `all` resolves when each of these names was done after that. A deleted object is undefined. In process an
 * informer reads the objects that controllers have parsed, so that following large ones costs little of what is measured.
 */
export async function followUntil<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  names: readonly string[],
  isDone: (object: T | undefined) => boolean,
): Promise<{ readonly all: Promise<void> }> {
  const informers = new InformerSet({ client, clock: systemClock, random: Math.random, logger: silentLogger });
  const { informer, release } = informers.hold(kind);
  await informer.whenReady();
  const waiting = new Set(names);
  const done = new Promise<void>((resolve) => {
    informer.subscribe((now, old, isLive) => {
      const { name = '' } = (now ?? old)?.metadata ?? {};
      if (!isLive || !waiting.has(name) || !isDone(now as T | undefined)) return;
      waiting.delete(name);
      if (waiting.size === 0) resolve();
    });
  });
  return { all: done.then(release) };
}
