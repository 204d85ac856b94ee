import { compareBytes } from '@flotilla/kube';
import type { Amounts } from './amounts.ts';
import type { PriceTable } from './price-table.ts';

export interface PricedNodes {
  readonly countBySku: ReadonlyMap<string, number>;
  readonly capacity: Amounts;
}

/** Costs for an hour. */
export type Costs =
  | { readonly perCpuCore: number; readonly perGbMemory: number; readonly warnings: readonly string[] }
  | { readonly problem: string };

const bytesOfGb = 1024 ** 3;

/**
 * The price of all nodes divided by their cores, and by their memory. Discounts are unknown. If one SKU has no price, the
 * result would mislead, so it is a problem.
 */
export function costsOf({ countBySku, capacity }: PricedNodes, prices: PriceTable, options: CostOptions): Costs {
  if (countBySku.size === 0) return { perCpuCore: 0, perGbMemory: 0, warnings: [] };
  const priced = [...countBySku].map(([sku, count]) => ({ sku, count, price: prices.priceOf(sku, options.region) }));
  const unpriced = priced.filter(({ price }) => price === undefined).map(({ sku }) => sku);
  const hourly = priced.reduce((sum, { count, price = 0 }) => sum + count * price, 0);
  const problem = problemOf({ hourly, unpriced: unpriced.sort(compareBytes), capacity });
  if (problem !== undefined) return { problem };
  return {
    perCpuCore: hourly / capacity.cpu.toNumber(),
    perGbMemory: hourly / (capacity.memory.toNumber() / bytesOfGb),
    warnings: warningsOf(prices, options.now),
  };
}

export interface CostOptions {
  readonly region: string | undefined;
  readonly now: Date;
}

interface Sums {
  readonly hourly: number;
  readonly unpriced: readonly string[];
  readonly capacity: Amounts;
}

function problemOf({ hourly, unpriced, capacity }: Sums): string | undefined {
  const skus = `[${unpriced.join(' ')}]`;
  const cores = capacity.cpu.toNumber();
  const bytes = capacity.memory.toNumber();
  if (hourly === 0) return `nodes are present, but no pricing data is available for any node SKUs (${skus})`;
  if (!Number.isFinite(cores) || cores <= 0.001) {
    return `failed to calculate costs: cpu quantity is of an invalid value: ${cores}`;
  }
  if (!Number.isFinite(bytes) || bytes <= 1) {
    return `failed to calculate costs: memory quantity is of an invalid value: ${bytes}`;
  }
  if (unpriced.length === 0) return undefined;
  return `no pricing data is available for one or more of the node SKUs (${skus}) in the cluster`;
}

function warningsOf({ updatedAt, goodForMs }: PriceTable, now: Date): string[] {
  if (now.getTime() - updatedAt.getTime() <= goodForMs) return [];
  return [`the pricing data is stale (last updated at ${updatedAt.toISOString()})`];
}
