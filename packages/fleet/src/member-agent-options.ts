/** What the shape of a member says about its agent. */
import {
  ClusterProvider,
  CostProvider,
  defaultPrioritySettings,
  defaultRequeueSettings,
  type AgentOptions,
  type PriceSource,
  type PropertyProvider,
  type RequeueSettings,
} from '@flotilla/member';
import type { Clock } from '@flotilla/timing';
import { milliseconds, type MemberShape } from './file/fleet-shape.ts';

/** A price table in a file. */
export type OpenPriceTable = (file: string) => PriceSource;

interface MemberAgentParts {
  readonly clock: Clock;
  /** The CA of the member's API server, PEM. */
  readonly authority: string | undefined;
  readonly openPriceTable?: OpenPriceTable | undefined;
}

export function agentOptionsOf(
  shape: MemberShape,
  parts: MemberAgentParts,
): Pick<AgentOptions, 'provider' | 'reportsNamespaces' | 'requeue' | 'priorities'> {
  const { maxRequeueDelay, priorityQueue } = shape;
  return {
    provider: providerOf(shape, parts),
    reportsNamespaces: shape.properties.namespaces,
    ...(maxRequeueDelay !== undefined && { requeue: requeueWithin(milliseconds(maxRequeueDelay)) }),
    ...(priorityQueue && { priorities: defaultPrioritySettings }),
  };
}

function requeueWithin(maxMs: number): RequeueSettings {
  const { fixedMs, initialSlowMs, maxSlowMs, ...rest } = defaultRequeueSettings;
  return {
    ...rest,
    fixedMs: Math.min(fixedMs, maxMs),
    initialSlowMs: Math.min(initialSlowMs, maxMs),
    maxSlowMs: Math.min(maxSlowMs, maxMs),
    maxFastMs: maxMs,
  };
}

/** A provider belongs to one agent, so each start needs a new one. */
function providerOf({ properties, region }: MemberShape, parts: MemberAgentParts): PropertyProvider | undefined {
  const { provider, costs, availableResources: countsAvailable } = properties;
  if (provider === 'none') return undefined;
  const { authority } = parts;
  const options = { countsAvailable, authority };
  if (provider === 'default') return new ClusterProvider(options);
  return new CostProvider({ ...options, reportsCosts: costs, region, prices: pricesOf(properties, parts) });
}

function pricesOf(
  { prices, priceTable }: MemberShape['properties'],
  { clock, openPriceTable }: MemberAgentParts,
): PriceSource | undefined {
  if (priceTable !== undefined) return openPriceTable?.(priceTable);
  if (Object.keys(prices).length === 0) return undefined;
  const priceOf = (sku: string): number | undefined => (Object.hasOwn(prices, sku) ? prices[sku] : undefined);
  return {
    // Prices in a fleet file do not expire.
    current: async () => ({ updatedAt: new Date(clock.now()), goodForMs: 86_400_000, hasRegions: false, priceOf }),
  };
}
