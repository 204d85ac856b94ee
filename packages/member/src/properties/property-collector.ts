/** What a heartbeat says of the member's properties: from a provider where there is one that works, else what we count ourselves. */
import {
  internalMemberClusterConditions as types,
  propertyCollectionReasons,
  propertyNames,
  propertyProviderReasons,
} from '@flotilla/api';
import { errorMessage, wireTime } from '@flotilla/kube';
import { problemOfAnswer, reported } from './checked-properties.ts';
import { within, type Deadline } from './deadline.ts';
import { MemberResources } from './member-resources.ts';
import type {
  CollectedProperties,
  PropertyProvider,
  ProviderCondition,
  ProviderSurroundings,
} from './property-provider.ts';

export interface PropertyReport {
  /** Takes the place of what was reported before; absent when nothing new is known. */
  readonly collected?: CollectedProperties;
  /** How the provider does, in the words of conditions. */
  readonly conditions: readonly ReportedCondition[];
  /** Why there is nothing new. */
  readonly problem?: Error;
}

/** A condition, and how loudly people are told when it comes. */
export interface ReportedCondition extends ProviderCondition {
  readonly event?: 'Normal' | 'Warning';
}

/** Nobody waits longer for a provider. */
const milliseconds = 10_000;

/** Calls that do not come back are not added to. */
const maxOutstanding = 3;

export class PropertyCollector {
  readonly #provider: PropertyProvider | undefined;
  readonly #surroundings: ProviderSurroundings;
  #start: Promise<ReportedCondition> | undefined;
  #ownCount: MemberResources | undefined;
  #outstanding = 0;

  constructor(provider: PropertyProvider | undefined, surroundings: ProviderSurroundings) {
    this.#provider = provider;
    this.#surroundings = surroundings;
    // What will be needed in any case is followed while the agent is still on its way to the hub.
    if (provider === undefined) this.#count();
  }

  async collect(): Promise<PropertyReport> {
    if (this.#provider === undefined) return this.#collectOurselves();
    const start = await (this.#start ??= this.#startProvider(this.#provider));
    const report = start.status === 'True' ? await this.#ask(this.#provider) : await this.#collectOurselves();
    return { ...report, conditions: [start, ...report.conditions] };
  }

  async #startProvider(provider: PropertyProvider): Promise<ReportedCondition> {
    const type = types.propertyProviderStarted;
    try {
      const starting = Promise.resolve().then(() => provider.start(this.#surroundings));
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

  async #ask(provider: PropertyProvider): Promise<PropertyReport> {
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
      if (problem === undefined) return succeeded(reported(answer));
      return failed(
        propertyCollectionReasons.failed,
        `The property provider gave a wrong answer: ${problem}`,
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
    const { signal } = this.#surroundings;
    const ending = new AbortController();
    this.#outstanding++;
    const call = Promise.resolve()
      .then(() => provider.collect(AbortSignal.any([signal, ending.signal])))
      .finally(() => this.#outstanding--);
    const answer = await within(this.#deadline, call);
    if (answer !== 'timed-out') return answer;
    ending.abort();
    // Whatever comes of it, nobody listens.
    call.catch(() => undefined);
    return answer;
  }

  async #collectOurselves(): Promise<PropertyReport> {
    const { clock } = this.#surroundings;
    const resources = this.#count();
    if ((await within(this.#deadline, resources.whenReady())) === 'timed-out') {
      return { conditions: [], problem: new Error(`nodes and pods cannot be counted: ${resources.trouble()}`) };
    }
    const now = new Date(clock.now());
    const count = { value: String(resources.nodes.count), observationTime: wireTime(now) };
    return {
      collected: { properties: { [propertyNames.nodeCount]: count }, resources: resources.usage(now) },
      conditions: [],
    };
  }

  get #deadline(): Deadline {
    const { clock, signal } = this.#surroundings;
    return { milliseconds, clock, signal };
  }

  #count(): MemberResources {
    const { informers, signal } = this.#surroundings;
    return (this.#ownCount ??= new MemberResources({ informers, signal, countsAvailable: true }));
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
