/** The provider `default`: number and resources of nodes, available resources, the version, and on request namespaces. */
import {
  internalMemberClusterConditions,
  namespaceCollectionReasons,
  propertyNames,
  type PropertyValue,
} from '@flotilla/api';
import { namespaces, wireTime } from '@flotilla/kube';
import { subscribe } from './informer-subscription.ts';
import { MemberResources } from './member-resources.ts';
import { NamespaceOwners } from './namespace-owners.ts';
import type { NodeSums } from './node-sums.ts';
import type {
  CollectedProperties,
  PropertyProvider,
  ProviderCondition,
  ProviderDependencies,
} from './property-provider.ts';
import { ServerVersion } from './server-version.ts';

export interface ClusterProviderOptions {
  /** Whether to report the resources that pods do not request; default true. */
  readonly countsAvailable?: boolean;
  readonly reportsNamespaces?: boolean;
  /** The CA certificate of the member's API server, PEM. */
  readonly authority?: string | undefined;
}

interface Started {
  readonly now: () => Date;
  readonly resources: MemberResources;
  readonly version: ServerVersion;
  readonly owners: NamespaceOwners | undefined;
  readonly startedAt: string;
}

export class ClusterProvider implements PropertyProvider {
  readonly #options: ClusterProviderOptions;
  #started: Started | undefined;

  constructor(options: ClusterProviderOptions = {}) {
    this.#options = options;
  }

  async start({ member, informers, clock, signal }: ProviderDependencies): Promise<void> {
    const { countsAvailable = true, reportsNamespaces = false } = this.#options;
    const now = (): Date => new Date(clock.now());
    const resources = new MemberResources({ informers, signal, countsAvailable });
    const version = new ServerVersion(member, clock);
    const owners = reportsNamespaces ? new NamespaceOwners() : undefined;
    await Promise.all([
      resources.whenReady(),
      version.read(signal),
      owners && subscribe(informers, namespaces, owners, { signal, metadataOnly: true }).ready,
    ]);
    this.#started = { now, resources, version, owners, startedAt: wireTime(now()) };
  }

  async collect(signal: AbortSignal): Promise<CollectedProperties> {
    const { now, resources, version, owners, startedAt } = this.#running();
    const { authority } = this.#options;
    const kubernetes = await version.current(signal);
    const at = now();
    const properties: Record<string, PropertyValue> = {
      [propertyNames.nodeCount]: { value: String(resources.nodes.count), observationTime: wireTime(at) },
      [propertyNames.kubernetesVersion]: kubernetes,
      ...(authority && { [propertyNames.certificateAuthorityData]: { value: authority, observationTime: startedAt } }),
    };
    return {
      properties,
      resources: resources.usage(at),
      ...(owners && { namespaces: owners.works(), conditions: [namespaceCondition(owners)] }),
    };
  }

  /** For providers that report more about nodes. */
  get nodes(): NodeSums {
    return this.#running().resources.nodes;
  }

  #running(): Started {
    if (this.#started === undefined) throw new Error('the provider was not started');
    return this.#started;
  }
}

function namespaceCondition({ isOverLimit }: NamespaceOwners): ProviderCondition {
  const type = internalMemberClusterConditions.namespaceCollectionSucceeded;
  if (!isOverLimit) {
    const message = 'All namespaces have been collected successfully';
    return { type, status: 'True', reason: namespaceCollectionReasons.succeeded, message };
  }
  const message = 'Namespaces are collected in a degraded mode since the number of namespaces reaches the track limit';
  return { type, status: 'False', reason: namespaceCollectionReasons.degraded, message };
}
