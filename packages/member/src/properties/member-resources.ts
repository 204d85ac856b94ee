import type { ResourceUsage } from '@flotilla/api';
import { nodes, pods, wireTime } from '@flotilla/kube';
import type { InformerSet } from '@flotilla/runtime';
import { leftOf, printed } from './amounts.ts';
import { follow, type Followed } from './informer-subscription.ts';
import { countedOfNodes, NodeSums } from './node-sums.ts';
import { countedOfPods, PodSums, runningPods } from './pod-sums.ts';

export interface MemberResourcesOptions {
  readonly informers: InformerSet;
  readonly signal: AbortSignal;
  /** Pods need not be followed where nobody asks what is left for more of them. */
  readonly countsAvailable: boolean;
}

/** What the nodes of a member have, and what its pods have left of it, as it stands at any moment. */
export class MemberResources {
  readonly nodes = new NodeSums();
  readonly #pods = new PodSums();
  readonly #countsAvailable: boolean;
  readonly #followed: readonly Followed[];

  constructor({ informers, signal, countsAvailable }: MemberResourcesOptions) {
    this.#countsAvailable = countsAvailable;
    this.#followed = [
      follow(informers, nodes, this.nodes, { signal, excerpt: countedOfNodes }),
      ...(countsAvailable
        ? [follow(informers, pods, this.#pods, { signal, fieldSelector: runningPods, excerpt: countedOfPods })]
        : []),
    ];
  }

  async whenReady(): Promise<void> {
    await Promise.all(this.#followed.map(({ ready }) => ready));
  }

  /** Why it is not ready. */
  trouble(): string {
    const troubles = this.#followed.map(({ trouble }) => trouble()).filter((text) => text !== undefined);
    return troubles.join('; ') || 'the list takes too long';
  }

  usage(now: Date): ResourceUsage {
    const { capacity, allocatable } = this.nodes;
    return {
      capacity: printed(capacity),
      allocatable: printed(allocatable),
      ...(this.#countsAvailable && { available: printed(leftOf(allocatable, this.#pods.requested)) }),
      observationTime: wireTime(now),
    };
  }
}
