/** The provider `azure`: the properties of `default`, the number of nodes of each SKU, and their costs. */
import {
  costCollectionReasons,
  internalMemberClusterConditions,
  propertyNames,
  skuCountProperty,
  type PropertyValue,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { nodes, wireTime } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { ClusterProvider, type ClusterProviderOptions } from './cluster-provider.ts';
import { costsOf, type Costs } from './costs.ts';
import { PriceTableError, type PriceSource, type PriceTable } from './price-table.ts';
import type {
  CollectedProperties,
  PropertyProvider,
  ProviderCondition,
  ProviderDependencies,
} from './property-provider.ts';

export interface CostProviderOptions extends ClusterProviderOptions {
  /** Whether to report costs; default true. */
  readonly reportsCosts?: boolean;
  readonly prices?: PriceSource | undefined;
  /** The region of the nodes; default: the region label of any of them. */
  readonly region?: string | undefined;
}

const regionLabel = 'topology.kubernetes.io/region';

/** For nodes without a SKU label. */
const unknownSku = 'undefined';

export class CostProvider implements PropertyProvider {
  readonly #options: CostProviderOptions;
  readonly #cluster: ClusterProvider;
  #clock: Clock | undefined;
  #region: string | undefined;

  constructor(options: CostProviderOptions = {}) {
    this.#options = options;
    this.#cluster = new ClusterProvider(options);
    this.#region = options.region;
  }

  async start(dependencies: ProviderDependencies): Promise<void> {
    const { member, clock, signal } = dependencies;
    this.#clock = clock;
    const { reportsCosts = true, prices } = this.#options;
    if (reportsCosts && !this.#region && prices !== undefined && (await prices.current()).hasRegions) {
      this.#region = await regionOf(member, signal);
    }
    await this.#cluster.start(dependencies);
  }

  async collect(signal: AbortSignal): Promise<CollectedProperties> {
    const collected = await this.#cluster.collect(signal);
    const now = new Date(this.#clock?.now() ?? 0);
    const observationTime = wireTime(now);
    const counts = [...this.#cluster.nodes.countBySku].map(([sku, count]): [string, PropertyValue] => [
      skuCountProperty(sku === '' ? unknownSku : sku),
      { value: String(count), observationTime },
    ]);
    const properties = { ...collected.properties, ...Object.fromEntries(counts) };
    if (this.#options.reportsCosts === false) return { ...collected, properties };
    const costs = await this.#costs(now);
    return {
      ...collected,
      properties: { ...properties, ...costProperties(costs, observationTime) },
      conditions: [costCondition(costs), ...(collected.conditions ?? [])],
    };
  }

  async #costs(now: Date): Promise<Costs> {
    const table = await this.#table();
    if ('problem' in table) return table;
    return costsOf(this.#cluster.nodes, table, { region: this.#region, now });
  }

  /** An invalid table costs only the cost properties, not the others. */
  async #table(): Promise<PriceTable | { readonly problem: string }> {
    if (this.#options.prices === undefined) return { problem: 'there is no price table' };
    try {
      return await this.#options.prices.current();
    } catch (error) {
      if (!(error instanceof PriceTableError)) throw error;
      return { problem: `the price table is invalid: ${error.message}` };
    }
  }
}

async function regionOf(member: Client, signal: AbortSignal): Promise<string> {
  const { items } = await member.list(nodes, { labelSelector: regionLabel, limit: 1, metadataOnly: true, signal });
  const region = items[0]?.metadata.labels?.[regionLabel];
  if (!region) throw new Error('no nodes found with the region label');
  return region;
}

function costProperties(costs: Costs, observationTime: string): Record<string, PropertyValue> {
  if ('problem' in costs) return {};
  return {
    [propertyNames.perCpuCoreCost]: { value: costs.perCpuCore.toFixed(3), observationTime },
    [propertyNames.perGbMemoryCost]: { value: costs.perGbMemory.toFixed(3), observationTime },
  };
}

function costCondition(costs: Costs): ProviderCondition {
  const type = internalMemberClusterConditions.costCollectionSucceeded;
  if ('problem' in costs) {
    const message = `An error has occurred when collecting cost properties: ${costs.problem}`;
    return { type, status: 'False', reason: costCollectionReasons.failed, message };
  }
  if (costs.warnings.length > 0) {
    const message = `Cost properties are collected in a degraded mode with the following warning(s): [${costs.warnings.join(' ')}]`;
    return { type, status: 'True', reason: costCollectionReasons.degraded, message };
  }
  const message = 'All cost properties have been collected successfully';
  return { type, status: 'True', reason: costCollectionReasons.calculated, message };
}
