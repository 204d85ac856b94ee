import { isJsonObject, type KubeObject } from '@flotilla/kube';
import type { Excerpt } from '@flotilla/runtime';
import { amountsIn, type Amounts } from './amounts.ts';
import { RunningSum } from './running-sum.ts';

/** The machine type of a node in its cloud. */
const skuLabel = 'beta.kubernetes.io/instance-type';

/** The fields that are counted: about a hundredth of a Node, which lists all its images. */
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

/** Sums over all nodes, including cordoned and terminating ones. */
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

  /** Number of nodes by SKU; the empty SKU counts nodes without a label. */
  get countBySku(): ReadonlyMap<string, number> {
    return this.#countBySku;
  }

  /** Called by an informer. */
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
