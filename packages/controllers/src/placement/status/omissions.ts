/** Counts what the status of a placement leaves out, and says so. */
import { placementReasons } from '@flotilla/api';
import type { Text } from './condition-texts.ts';
import type { DetailList } from './status-size.ts';

const nouns: Readonly<Record<DetailList, string>> = {
  failedPlacements: 'failed resources',
  diffedPlacements: 'diffed resources',
  driftedPlacements: 'drifted resources',
  applicableClusterResourceOverrides: 'ClusterResourceOverrides',
  applicableResourceOverrides: 'ResourceOverrides',
};

export class Omissions {
  readonly #details = new Map<DetailList, number>();
  #resources = 0;
  #hasMessages = false;

  addDetails(list: DetailList, count: number): void {
    if (count > 0) this.#details.set(list, (this.#details.get(list) ?? 0) + count);
  }

  addResources(count: number): void {
    this.#resources += count;
  }

  addMessages(): void {
    this.#hasMessages = true;
  }

  get text(): Text {
    const parts = [
      ...(this.#resources > 0 ? [`${this.#resources} selected resources`] : []),
      ...[...this.#details].map(([list, count]) => `${count} ${nouns[list]}`),
      ...(this.#hasMessages ? ['the ends of messages'] : []),
    ];
    return {
      reason: placementReasons.oversized,
      message: `The whole status is too large to store. Left out: ${parts.join(', ')}. The bindings of the placement have the details of each cluster.`,
    };
  }
}
