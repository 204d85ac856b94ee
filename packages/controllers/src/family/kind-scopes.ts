import type { DiscoveredKind } from '@flotilla/client';
import type { GroupVersionKind, Logger } from '@flotilla/kube';
import { NotYet, type ServedKinds } from '@flotilla/runtime';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';

/** Longer than a discovery takes. */
const retryMs = 100;

/** The kinds of the hub, as far as discovery has found out. */
export class KindScopes {
  readonly #served: ServedKinds;
  readonly #logger: Logger;
  #state: 'unknown' | 'reading' | 'known' = 'unknown';

  constructor(served: ServedKinds, logger: Logger) {
    this.#served = served;
    this.#logger = logger;
    served.onGroupChanged(() => this.#read());
  }

  /** Kinds that the hub does not serve count as namespaced. Throws NotYet before the first discovery has answered. */
  readonly isClusterScoped: IsClusterScoped = (kind) => this.servedKind(kind)?.namespaced === false;

  /** Undefined if the hub does not serve it. Throws NotYet before the first discovery has answered. */
  readonly servedKind = (kind: GroupVersionKind): DiscoveredKind | undefined => {
    if (this.#state === 'known') return this.#served.known(kind);
    if (this.#state === 'unknown') this.#read();
    throw new NotYet('the kinds of the hub are not discovered yet', retryMs);
  };

  /** A change during a discovery starts another one. */
  #read(): void {
    if (this.#state === 'unknown') this.#state = 'reading';
    void this.#served.all().then(
      () => (this.#state = 'known'),
      (error: unknown) => {
        if (this.#state === 'reading') this.#state = 'unknown';
        this.#logger.warn('discovery failed, scopes of kinds may be outdated', { error });
      },
    );
  }
}
