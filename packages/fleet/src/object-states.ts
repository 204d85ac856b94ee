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
  let states = [...view.all()];
  let wake = Promise.withResolvers<void>();
  let hasEnded = signal.aborted;
  const end = (): void => {
    hasEnded = true;
    wake.resolve();
  };
  const stop = view.follow((change) => {
    if (change.type !== 'DELETED') states.push(change.object());
    wake.resolve();
  }, end);
  signal.addEventListener('abort', end, { once: true });
  try {
    while (!hasEnded || (states.length > 0 && !signal.aborted)) {
      const batch = states;
      states = [];
      for (const state of batch) yield state as Readonly<T>;
      if (states.length > 0 || hasEnded) continue;
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}
