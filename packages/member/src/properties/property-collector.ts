/**
 * Collects the member's properties for a heartbeat from a provider. Without one, or if it fails to start, counts nodes and pods. Adds the
 * member's namespaces, because namespaced placements only go to clusters that have theirs.
 */
import {
  internalMemberClusterConditions as types,
  propertyCollectionReasons,
  propertyNames,
  propertyProviderReasons,
} from '@flotilla/api';
import { errorMessage, namespaces, wireTime } from '@flotilla/kube';
import { knownFieldsOf, problemOfAnswer } from './checked-properties.ts';
import { within, type Deadline } from './deadline.ts';
import { subscribe, type ChangeHandler, type Subscription } from './informer-subscription.ts';
import { MemberResources } from './member-resources.ts';
import { NamespaceOwners } from './namespace-owners.ts';
import type {
  CollectedProperties,
  PropertyProvider,
  ProviderCondition,
  ProviderDependencies,
} from './property-provider.ts';

export interface PropertyReport {
  /** Replaces the properties of the last report; absent if there are no new ones. */
  readonly collected?: CollectedProperties;
  /** The state of the provider. */
  readonly conditions: readonly ReportedCondition[];
  /** Why there are no new properties. */
  readonly problem?: Error;
}

export interface ReportedCondition extends ProviderCondition {
  /** The type of the event to record when the condition changes. */
  readonly event?: 'Normal' | 'Warning';
}

export interface CollectorDependencies extends ProviderDependencies {
  /** Default: true. */
  readonly reportsNamespaces?: boolean | undefined;
  /** Called when the member has other namespaces, and once for each that exists. */
  readonly namespacesChanged?: (change: NamespaceChange) => void;
}

/** A namespace that gets another owner is new, one that is terminating is gone. */
export type NamespaceChange = 'new' | 'gone';

/** For the start of a provider, and for each of its answers. */
const timeoutMs = 10_000;

/** While so many calls have not returned, the provider gets no further ones. */
const maxOutstanding = 3;

export class PropertyCollector {
  readonly #provider: PropertyProvider | undefined;
  readonly #dependencies: CollectorDependencies;
  #start: Promise<ReportedCondition> | undefined;
  #resources: MemberResources | undefined;
  #outstanding = 0;
  readonly #owners = new NamespaceOwners();
  /** Undefined if namespaces are not reported. */
  readonly #watch: Subscription | undefined;

  constructor(provider: PropertyProvider | undefined, dependencies: CollectorDependencies) {
    const { informers, signal, reportsNamespaces = true, namespacesChanged } = dependencies;
    this.#provider = provider;
    this.#dependencies = dependencies;
    // Starts the watches early, while the agent connects to the hub.
    if (provider === undefined) this.#memberResources();
    if (!reportsNamespaces) return;
    const changed: ChangeHandler['changed'] = (now, old) => {
      const isGone = now === undefined || now.metadata.deletionTimestamp !== undefined;
      if (this.#owners.changed(now, old)) namespacesChanged?.(isGone ? 'gone' : 'new');
    };
    this.#watch = subscribe(informers, namespaces, { changed }, { signal, metadataOnly: true });
  }

  async collect(): Promise<PropertyReport> {
    const report = await this.#collect();
    const { collected } = report;
    // A provider may report namespaces of its own.
    if (collected === undefined || collected.namespaces !== undefined) return report;
    if (this.#watch === undefined || (await within(this.#deadline, this.#watch.ready)) === 'timed-out') return report;
    const conditions = [...(collected.conditions ?? []), this.#owners.condition];
    return { ...report, collected: { ...collected, namespaces: this.#owners.works(), conditions } };
  }

  async #collect(): Promise<PropertyReport> {
    if (this.#provider === undefined) return this.#collectResources();
    const start = await (this.#start ??= this.#startProvider(this.#provider));
    const report = start.status === 'True' ? await this.#collectFrom(this.#provider) : await this.#collectResources();
    return { ...report, conditions: [start, ...report.conditions] };
  }

  async #startProvider(provider: PropertyProvider): Promise<ReportedCondition> {
    const type = types.propertyProviderStarted;
    try {
      const starting = Promise.resolve().then(() => provider.start(providerPart(this.#dependencies)));
      if ((await within(this.#deadline, starting)) === 'timed-out') {
        const message = 'The property provider does not start up in time';
        return { type, status: 'False', reason: propertyProviderReasons.timedOut, message, event: 'Warning' };
      }
    } catch (error) {
      const message = `Failed to start the property provider: ${errorMessage(error)}`;
      return { type, status: 'False', reason: propertyProviderReasons.failedToStart, message, event: 'Warning' };
    }
    const message = 'The property provider has started successfully';
    return { type, status: 'True', reason: propertyProviderReasons.started, message, event: 'Normal' };
  }

  async #collectFrom(provider: PropertyProvider): Promise<PropertyReport> {
    if (this.#outstanding >= maxOutstanding) {
      const message = 'There are too many on-going calls to the property provider; will retry if some calls return';
      return failed(propertyCollectionReasons.tooManyCalls, message);
    }
    try {
      const answer = await this.#call(provider);
      if (answer === 'timed-out') {
        const message = 'The property provider does not respond in time';
        return failed(propertyCollectionReasons.timedOut, message, 'Warning');
      }
      const problem = problemOfAnswer(answer);
      if (problem === undefined) return succeeded(knownFieldsOf(answer));
      return failed(
        propertyCollectionReasons.failed,
        `The property provider returned an invalid answer: ${problem}`,
        'Warning',
      );
    } catch (error) {
      return failed(
        propertyCollectionReasons.failed,
        `The property provider failed: ${errorMessage(error)}`,
        'Warning',
      );
    }
  }

  async #call(provider: PropertyProvider): Promise<CollectedProperties | 'timed-out'> {
    const { signal } = this.#dependencies;
    const timeout = new AbortController();
    this.#outstanding++;
    const call = Promise.resolve()
      .then(() => provider.collect(AbortSignal.any([signal, timeout.signal])))
      .finally(() => this.#outstanding--);
    const answer = await within(this.#deadline, call);
    if (answer !== 'timed-out') return answer;
    timeout.abort();
    // A late failure must not be an unhandled rejection.
    call.catch(() => undefined);
    return answer;
  }

  async #collectResources(): Promise<PropertyReport> {
    const { clock } = this.#dependencies;
    const resources = this.#memberResources();
    if ((await within(this.#deadline, resources.whenReady())) === 'timed-out') {
      return { conditions: [], problem: new Error(`nodes and pods cannot be counted: ${resources.failure()}`) };
    }
    const now = new Date(clock.now());
    const count = { value: String(resources.nodes.count), observationTime: wireTime(now) };
    return {
      collected: { properties: { [propertyNames.nodeCount]: count }, resources: resources.usage(now) },
      conditions: [],
    };
  }

  get #deadline(): Deadline {
    const { clock, signal } = this.#dependencies;
    return { milliseconds: timeoutMs, clock, signal };
  }

  #memberResources(): MemberResources {
    const { informers, signal } = this.#dependencies;
    return (this.#resources ??= new MemberResources({ informers, signal, countsAvailable: true }));
  }
}

function succeeded(collected: CollectedProperties): PropertyReport {
  const message = 'The property provider has returned the latest cluster properties';
  const reason = propertyCollectionReasons.collected;
  return {
    collected,
    conditions: [{ type: types.propertyCollectionSucceeded, status: 'True', reason, message }],
  };
}

function failed(reason: string, message: string, event?: 'Warning'): PropertyReport {
  return {
    conditions: [
      { type: types.propertyCollectionSucceeded, status: 'False', reason, message, ...(event && { event }) },
    ],
    problem: new Error(message),
  };
}

function providerPart({ member, informers, clock, logger, signal }: CollectorDependencies): ProviderDependencies {
  return { member, informers, clock, logger, signal };
}
