import type { Kind, KubeObject } from '@flotilla/kube';
import type { InformerSet, Interest } from '@flotilla/runtime';

/** What keeps a count of objects as they come and go. */
export interface Counting {
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void;
}

export interface Followed {
  /** When all that is there has been counted. Pending while the server does not show it. */
  readonly ready: Promise<void>;
  /** Why the kind cannot be followed at the moment, after its name. */
  readonly trouble: () => string | undefined;
}

/** Lets something count the objects of a kind until the signal ends it. */
export function follow(
  informers: InformerSet,
  kind: Kind,
  counting: Counting,
  { signal, ...interest }: Interest & { readonly signal: AbortSignal },
): Followed {
  const { informer, release } = informers.hold(kind, interest);
  const unsubscribe = informer.subscribe((now, old) => counting.changed(now, old));
  const end = (): void => {
    unsubscribe();
    void release();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    ready: informer.whenReady(),
    trouble: () => (informer.failure === undefined ? undefined : `${kind.plural}: ${informer.failure}`),
  };
}
