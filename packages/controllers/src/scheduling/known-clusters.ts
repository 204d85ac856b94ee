/**
 * The MemberClusters as the scheduler reads them: one list, which is copied only after a change. A scheduler keeps what it
 * prepared for a list, or for a cluster, as long as that object is the same.
 */
import { memberClusters, type MemberCluster } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { Cache, Indexes } from '@flotilla/runtime';

const indexName = 'all';

/** For `indexes` of MemberClusters: counts them. */
export const allClusters: Indexes = { [indexName]: () => [''] };

export class KnownClusters {
  readonly #byName = new Map<string, Readonly<MemberCluster>>();
  #list: readonly Readonly<MemberCluster>[] | undefined;

  /** Call for every change, in order. Calls for several controllers do no harm. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const { name = '' } = (now ?? old)?.metadata ?? {};
    if (now === this.#byName.get(name)) return;
    if (now === undefined) this.#byName.delete(name);
    else this.#byName.set(name, now as Readonly<MemberCluster>);
    this.#list = undefined;
  }

  /** In any order. */
  read(cache: Cache): readonly Readonly<MemberCluster>[] {
    // An informer that had to start anew reports what exists, and not what has gone.
    if (this.#byName.size !== cache.count(memberClusters, indexName, '')) this.#readAll(cache);
    this.#list ??= [...this.#byName.values()];
    return this.#list;
  }

  #readAll(cache: Cache): void {
    this.#byName.clear();
    for (const cluster of cache.list(memberClusters)) this.#byName.set(cluster.metadata.name ?? '', cluster);
    this.#list = undefined;
  }
}
