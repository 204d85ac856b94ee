import { bindingConditions, type Binding, type DisruptionBudget, type Placement } from '@flotilla/api';
import { shareOf } from '@flotilla/kube';
import { statusNow } from '../family/binding-progress.ts';
import { withPlacementDefaults } from '../family/placement-defaults.ts';

/** How many clusters a placement has, and how many evictions its budget still allows. */
export class BudgetCount {
  readonly total: number;
  readonly #available: Set<string>;
  readonly #budget: DisruptionBudget['spec'] | undefined;
  readonly #isPickAll: boolean;
  readonly #wanted: number;

  constructor(
    placement: Readonly<Placement> | undefined,
    bindings: readonly Readonly<Binding>[],
    budget: Readonly<DisruptionBudget> | undefined,
  ) {
    const policy = placement && withPlacementDefaults(placement.spec).policy;
    this.#isPickAll = policy?.placementType === 'PickAll';
    this.#wanted = policy?.placementType === 'PickN' ? (policy.numberOfClusters ?? 0) : 0;
    this.#budget = budget?.spec;
    this.total = bindings.length;
    this.#available = new Set(bindings.filter(isAvailable).map(({ metadata }) => metadata.uid ?? ''));
  }

  get available(): number {
    return this.#available.size;
  }

  /** The number of clusters of PickAll is not known in advance. */
  get isMisconfigured(): boolean {
    const { maxUnavailable, minAvailable } = this.#budget ?? {};
    return this.#isPickAll && (maxUnavailable !== undefined || typeof minAvailable === 'string');
  }

  get allowsAnother(): boolean {
    const { maxUnavailable, minAvailable } = this.#budget ?? {};
    if (maxUnavailable !== undefined) {
      return shareOf(maxUnavailable, this.#wanted, Math.ceil) > this.total - this.available;
    }
    if (minAvailable === undefined) return false;
    const least = shareOf(minAvailable, this.#wanted, Math.ceil);
    // KubeFleet's API reference promises that 0 never blocks.
    return least === 0 || this.available > least;
  }

  /** The next eviction must not count on it. */
  evict({ metadata }: Readonly<Binding>): void {
    this.#available.delete(metadata.uid ?? '');
  }
}

/** KubeFleet counts clusters that are being removed, so that evictions at the same time exceed the budget. */
function isAvailable(binding: Readonly<Binding>): boolean {
  return binding.metadata.deletionTimestamp === undefined && statusNow(binding, bindingConditions.available) === 'True';
}
