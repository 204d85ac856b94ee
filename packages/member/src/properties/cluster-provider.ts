/** The provider `default`: number and resources of nodes, available resources, and the version. */
import { propertyNames, type PropertyValue } from '@flotilla/api';
import { wireTime } from '@flotilla/kube';
import { MemberResources } from './member-resources.ts';
import type { NodeSums } from './node-sums.ts';
import type { CollectedProperties, PropertyProvider, ProviderDependencies } from './property-provider.ts';
import { ServerVersion } from './server-version.ts';

export interface ClusterProviderOptions {
  /** Whether to report the resources that pods do not request; default true. */
  readonly countsAvailable?: boolean;
  /** The CA certificate of the member's API server, PEM. */
  readonly authority?: string | undefined;
}

interface Started {
  readonly now: () => Date;
  readonly resources: MemberResources;
  readonly version: ServerVersion;
  readonly startedAt: string;
}

export class ClusterProvider implements PropertyProvider {
  readonly #options: ClusterProviderOptions;
  #started: Started | undefined;

  constructor(options: ClusterProviderOptions = {}) {
    this.#options = options;
  }

  async start({ member, informers, clock, signal }: ProviderDependencies): Promise<void> {
    const { countsAvailable = true } = this.#options;
    const now = (): Date => new Date(clock.now());
    const resources = new MemberResources({ informers, signal, countsAvailable });
    const version = new ServerVersion(member, clock);
    await Promise.all([resources.whenReady(), version.read(signal)]);
    this.#started = { now, resources, version, startedAt: wireTime(now()) };
  }

  async collect(signal: AbortSignal): Promise<CollectedProperties> {
    const { now, resources, version, startedAt } = this.#running();
    const { authority } = this.#options;
    const kubernetes = await version.current(signal);
    const at = now();
    const properties: Record<string, PropertyValue> = {
      [propertyNames.nodeCount]: { value: String(resources.nodes.count), observationTime: wireTime(at) },
      [propertyNames.kubernetesVersion]: kubernetes,
      ...(authority && { [propertyNames.certificateAuthorityData]: { value: authority, observationTime: startedAt } }),
    };
    return { properties, resources: resources.usage(at) };
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
