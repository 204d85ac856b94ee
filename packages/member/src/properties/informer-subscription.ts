import type { Kind, KubeObject } from '@flotilla/kube';
import type { InformerSet, Interest } from '@flotilla/runtime';

export interface ChangeHandler {
  /** `now` is undefined for a deleted object, `old` for a new one. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void;
}

export interface Subscription {
  /** Resolves when the handler has all existing objects. Pending while the list fails. */
  readonly ready: Promise<void>;
  /** Why the watch fails at the moment, with the name of the kind. */
  readonly failure: () => string | undefined;
}

/** Calls the handler for all objects of a kind until the signal aborts. */
export function subscribe(
  informers: InformerSet,
  kind: Kind,
  handler: ChangeHandler,
  { signal, ...interest }: Interest & { readonly signal: AbortSignal },
): Subscription {
  const { informer, release } = informers.hold(kind, interest);
  const unsubscribe = informer.subscribe((now, old) => handler.changed(now, old));
  const end = (): void => {
    unsubscribe();
    void release();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    ready: informer.whenReady(),
    failure: () => (informer.failure === undefined ? undefined : `${kind.plural}: ${informer.failure}`),
  };
}
