import { isJsonObject, type KubeObject } from '@flotilla/kube';
import type { Excerpt } from '@flotilla/runtime';
import { amountsIn, type Amounts } from './amounts.ts';
import { RunningSum } from './running-sum.ts';

/** Which machine a node is, in its cloud's words. */
const skuLabel = 'beta.kubernetes.io/instance-type';

/** Nodes list every image that they have; what is counted is a hundredth of that. */
export const countedOfNodes: Excerpt = {
  name: 'resources',
  of: ({ metadata: { labels }, status }) => {
    const { capacity, allocatable } = isJsonObject(status) ? status : {};
    const sku = labels?.[skuLabel];
    return {
      ...(sku !== undefined && { metadata: { labels: { [skuLabel]: sku } } }),
      status: { capacity, allocatable },
    };
  },
};

/** All nodes together, also those that are cordoned or on their way out, until they are really gone. */
export class NodeSums {
  readonly #capacity = new RunningSum();
  readonly #allocatable = new RunningSum();
  readonly #skus = new Map<string, string>();
  readonly #countBySku = new Map<string, number>();

  get count(): number {
    return this.#capacity.count;
  }

  get capacity(): Amounts {
    return this.#capacity.total;
  }

  get allocatable(): Amounts {
    return this.#allocatable.total;
  }

  /** How many nodes there are of each machine; those that do not say which are under the empty name. */
  get countBySku(): ReadonlyMap<string, number> {
    return this.#countBySku;
  }

  /** As an informer tells it. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const name = (now ?? old)?.metadata.name ?? '';
    const status = isJsonObject(now?.['status']) ? now['status'] : {};
    this.#capacity.set(name, now && amountsIn(status['capacity']));
    this.#allocatable.set(name, now && amountsIn(status['allocatable']));
    this.#setSku(name, now && (now.metadata.labels?.[skuLabel] ?? ''));
  }

  #setSku(name: string, sku: string | undefined): void {
    const old = this.#skus.get(name);
    if (old === sku) return;
    if (old !== undefined) this.#count(old, -1);
    if (sku !== undefined) this.#count(sku, 1);
    if (sku === undefined) this.#skus.delete(name);
    else this.#skus.set(name, sku);
  }

  #count(sku: string, change: 1 | -1): void {
    const count = (this.#countBySku.get(sku) ?? 0) + change;
    if (count === 0) this.#countBySku.delete(sku);
    else this.#countBySku.set(sku, count);
  }
}
