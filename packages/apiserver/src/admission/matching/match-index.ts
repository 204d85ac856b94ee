import type { Resource } from '../../resources/resource.ts';
import type { Attributes } from '../admission.ts';
import type { MatchCriteria } from './match-criteria.ts';

type Target = Pick<Attributes, 'operation' | 'resource' | 'subresource'>;

const none: readonly never[] = [];

/**
 * Finds the webhooks or policies that may apply to a request by its operation and resource. Most requests match none, and cost
 * one lookup. Make a new index when the configuration changes.
 */
export class MatchIndex<T extends { readonly criteria: Pick<MatchCriteria, 'mayMatch'> }> {
  readonly #all: readonly T[];
  /** A definition that changes gets new resources, so nothing here is ever outdated. */
  readonly #found = new WeakMap<Resource, Map<string, readonly T[]>>();

  constructor(all: readonly T[]) {
    this.#all = all;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** In the order of the configuration. */
  candidates(target: Target): readonly T[] {
    if (this.#all.length === 0) return none;
    let byTarget = this.#found.get(target.resource);
    if (!byTarget) this.#found.set(target.resource, (byTarget = new Map()));
    const key = `${target.operation} ${target.subresource}`;
    let found = byTarget.get(key);
    if (!found) byTarget.set(key, (found = this.#all.filter(({ criteria }) => criteria.mayMatch(target))));
    return found;
  }
}
