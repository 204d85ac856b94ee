/** Why an eviction is invalid, allowed or blocked, in KubeFleet's words. */
import { previousBindingStateAnnotation, type Binding, type Eviction } from '@flotilla/api';
import { hasDiffReport, hasFailed } from '../family/binding-progress.ts';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import type { BudgetCount } from './budget-count.ts';
import type { EvictionState } from './decide.ts';

/** Undefined if the eviction is valid. */
export function problemOf(eviction: Readonly<Eviction>, { placement, bindings }: EvictionState): string | undefined {
  const targeted = 'targeted by eviction';
  if (placement === undefined) return `Failed to find ClusterResourcePlacement ${targeted}`;
  if (placement.metadata.deletionTimestamp !== undefined) return `Found deleting ClusterResourcePlacement ${targeted}`;
  if (withPlacementDefaults(placement.spec).policy.placementType === 'PickFixed') {
    return `Found ClusterResourcePlacement with PickFixed placement type ${targeted}`;
  }
  const found = bindingsTo(eviction, bindings).length;
  if (found > 1) return `Found more than one scheduler decision for placement in cluster ${targeted}`;
  if (found === 0 && !wasValid(eviction)) {
    return `Failed to find scheduler decision for placement in cluster ${targeted}`;
  }
  return undefined;
}

/** Its binding may be gone because this eviction has removed it, and the hub was killed before it said so. */
function wasValid({ status }: Readonly<Eviction>): boolean {
  return status?.conditions?.some(({ type, status: holds }) => type === 'Valid' && holds === 'True') === true;
}

export interface Execution {
  readonly isAllowed: boolean;
  readonly message: string;
  /** What to delete. */
  readonly binding?: Readonly<Binding>;
}

/** Of a valid eviction. Counts it in the budget. */
export function executionOf(eviction: Readonly<Eviction>, state: EvictionState, count: BudgetCount): Execution {
  const [binding] = bindingsTo(eviction, state.bindings);
  if (binding === undefined || binding.metadata.deletionTimestamp !== undefined) {
    const what = 'resources propagated by placement is currently being removed from cluster targeted by eviction';
    return { isAllowed: true, message: `Eviction is allowed, ${what}` };
  }
  if (!isPlaced(binding)) {
    const message = 'Eviction is blocked, placement has not propagated resources to target cluster yet';
    return { isAllowed: false, message };
  }
  const verdict = verdictOn(binding, state, count);
  if (!verdict.isAllowed) return verdict;
  count.evict(binding);
  return { ...verdict, binding };
}

/** A cluster that still applies does not bypass the budget; KubeFleet counts it as failed. */
function verdictOn(binding: Readonly<Binding>, { budget }: EvictionState, count: BudgetCount): Execution {
  const kind = 'ClusterResourcePlacementDisruptionBudget';
  if (hasFailed(binding) || hasDiffReport(binding)) {
    return { isAllowed: true, message: 'Eviction is allowed, placement has failed' };
  }
  if (budget === undefined) return { isAllowed: true, message: `Eviction is allowed, no ${kind} specified` };
  if (count.isMisconfigured) {
    const why = 'either MaxUnavailable is specified or MinAvailable is specified as a percentage for PickAll';
    const message = `Eviction is blocked by misconfigured ${kind}, ${why} ClusterResourcePlacement`;
    return { isAllowed: false, message };
  }
  const counts = `availablePlacements: ${count.available}, totalPlacements: ${count.total}`;
  const isAllowed = count.allowsAnother;
  return { isAllowed, message: `Eviction is ${isAllowed ? 'allowed' : 'blocked'} by specified ${kind}, ${counts}` };
}

function bindingsTo({ spec }: Readonly<Eviction>, bindings: readonly Readonly<Binding>[]): Readonly<Binding>[] {
  return bindings.filter((binding) => binding.spec.targetCluster === spec.clusterName);
}

function isPlaced({ spec, metadata: { annotations = {} } }: Readonly<Binding>): boolean {
  const before = Object.hasOwn(annotations, previousBindingStateAnnotation)
    ? annotations[previousBindingStateAnnotation]
    : undefined;
  return spec.state === 'Bound' || (spec.state === 'Unscheduled' && before === 'Bound');
}
