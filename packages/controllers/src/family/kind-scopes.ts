import type { GroupVersionKind, Logger } from '@flotilla/kube';
import { NotYet, ServedKinds, type ServedKindsOptions } from '@flotilla/runtime';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';

/** Longer than a discovery takes. */
const retryMs = 100;

export interface KindScopesOptions extends Omit<ServedKindsOptions, 'groupChanged'> {
  readonly logger: Logger;
}

/** Which kinds of the hub are cluster-scoped, as far as discovery has found out. */
export class KindScopes {
  readonly #options: KindScopesOptions;
  /** Since the first question: many hubs have neither overrides nor ConfigMaps that are envelopes. */
  #served: ServedKinds | undefined;
  #clusterScoped: ReadonlySet<string> | undefined;
  #isReading = false;
  #isOutdated = false;

  constructor(options: KindScopesOptions) {
    this.#options = options;
  }

  /** Kinds that the hub does not serve count as namespaced. Throws NotYet before the first discovery has answered. */
  readonly isClusterScoped: IsClusterScoped = (kind) => {
    if (this.#clusterScoped !== undefined) return this.#clusterScoped.has(textOf(kind));
    this.#read();
    throw new NotYet('the kinds of the hub are not discovered yet', retryMs);
  };

  async stop(): Promise<void> {
    await this.#served?.stop();
  }

  #read(): void {
    this.#served ??= new ServedKinds({ ...this.#options, groupChanged: () => this.#served && this.#read() });
    this.#isOutdated = true;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readAll(this.#served).finally(() => (this.#isReading = false));
  }

  async #readAll(served: ServedKinds): Promise<void> {
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        const { kinds } = await served.all();
        this.#clusterScoped = new Set(kinds.filter(({ namespaced }) => !namespaced).map(textOf));
      }
    } catch (error) {
      this.#options.logger.warn('discovery failed, scopes of kinds may be outdated', { error });
    }
  }
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
