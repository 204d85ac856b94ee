import type { Client } from '@flotilla/client';
import type { Kind, KubeObject } from '@flotilla/kube';

interface StatesOptions {
  readonly fieldSelector?: string;
  readonly signal: AbortSignal;
}

/**
 * The objects of a kind as they are, and then each new state, until the signal or the server ends it. In process it reads a view:
 * the hub's controllers have parsed the same states.
 */
export async function* objectStates<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { signal, ...selection }: StatesOptions,
): AsyncGenerator<Readonly<T>, void> {
  const view = client.view?.(kind, selection);
  if (view === undefined) {
    for await (const { type, object } of client.watch(kind, { resourceVersion: '0', ...selection, signal })) {
      if (type === 'ADDED' || type === 'MODIFIED') yield object;
    }
    return;
  }
  const states = [...view.all()];
  const ending = new AbortController();
  let wake = Promise.withResolvers<void>();
  const end = (): void => {
    ending.abort();
    wake.resolve();
  };
  const stop = view.follow((change) => {
    if (change.type !== 'DELETED') states.push(change.object());
    wake.resolve();
  }, end);
  signal.addEventListener('abort', end, { once: true });
  try {
    while (!signal.aborted) {
      for (const state of states.splice(0)) yield state as Readonly<T>;
      if (states.length > 0) continue;
      if (ending.signal.aborted) return;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
