import type { ResourceUsage } from '@flotilla/api';
import { nodes, pods, wireTime } from '@flotilla/kube';
import type { InformerSet } from '@flotilla/runtime';
import { remaining, toResourceList } from './amounts.ts';
import { subscribe, type Subscription } from './informer-subscription.ts';
import { countedOfNodes, NodeSums } from './node-sums.ts';
import { countedOfPods, PodSums, runningPods } from './pod-sums.ts';

export interface MemberResourcesOptions {
  readonly informers: InformerSet;
  readonly signal: AbortSignal;
  /** Whether to report available resources, for which pods are watched. */
  readonly countsAvailable: boolean;
}

/** The current capacity, allocatable and available resources of a member. */
export class MemberResources {
  readonly nodes = new NodeSums();
  readonly #pods = new PodSums();
  readonly #countsAvailable: boolean;
  readonly #subscriptions: readonly Subscription[];

  constructor({ informers, signal, countsAvailable }: MemberResourcesOptions) {
    this.#countsAvailable = countsAvailable;
    this.#subscriptions = [
      subscribe(informers, nodes, this.nodes, { signal, excerpt: countedOfNodes }),
      ...(countsAvailable
        ? [subscribe(informers, pods, this.#pods, { signal, fieldSelector: runningPods, excerpt: countedOfPods })]
        : []),
    ];
  }

  async whenReady(): Promise<void> {
    await Promise.all(this.#subscriptions.map(({ ready }) => ready));
  }

  /** Why it is not ready. */
  failure(): string {
    const failures = this.#subscriptions.map(({ failure }) => failure()).filter((text) => text !== undefined);
    return failures.join('; ') || 'the list takes too long';
  }

  usage(now: Date): ResourceUsage {
    const { capacity, allocatable } = this.nodes;
    return {
      capacity: toResourceList(capacity),
      allocatable: toResourceList(allocatable),
      ...(this.#countsAvailable && { available: toResourceList(remaining(allocatable, this.#pods.requested)) }),
      observationTime: wireTime(now),
    };
  }
}
