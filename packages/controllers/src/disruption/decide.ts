/** Which evictions of a placement are executed. Each is decided once, for good. */
import {
  conditionOf,
  evictionConditions,
  evictionReasons,
  clusterResourcePlacementEvictions,
  withCondition,
  type Binding,
  type Condition,
  type DisruptionBudget,
  type Eviction,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import type { Plan, Write } from '@flotilla/runtime';
import { deleted } from '../rollout/binding-writes.ts';
import { BudgetCount } from './budget-count.ts';
import { executionOf, problemOf } from './eviction-rules.ts';

/** All evictions of one placement, so that no two of them count on the same budget. */
export interface EvictionState {
  readonly family: PlacementFamily;
  readonly placement: Readonly<Placement> | undefined;
  readonly bindings: readonly Readonly<Binding>[];
  readonly budget: Readonly<DisruptionBudget> | undefined;
  /** Oldest first. */
  readonly evictions: readonly Readonly<Eviction>[];
  /** How long evictions stay after they are decided; 0 if forever. */
  readonly ttlMs: number;
}

export function decideEvictions(state: EvictionState, now: Date): Plan {
  const { placement, bindings, budget } = state;
  const count = new BudgetCount(placement, bindings, budget);
  const validated: Write[] = [];
  const removals: Write[] = [];
  const executed: Write[] = [];
  for (const eviction of state.evictions.filter((one) => endOf(one) === undefined)) {
    const problem = problemOf(eviction, state);
    if (problem !== undefined) {
      validated.push(statusWrite(eviction, now, invalid(problem)));
      continue;
    }
    const { isAllowed, message, binding } = executionOf(eviction, state, count);
    const verdict = isAllowed ? allowed(message) : blocked(message);
    if (binding === undefined) {
      validated.push(statusWrite(eviction, now, valid, verdict));
      continue;
    }
    // Validity is recorded before the binding goes: after a crash the next pass knows why there is none.
    validated.push(statusWrite(eviction, now, valid));
    removals.push(deleted(state.family, binding));
    executed.push({ ...statusWrite(eviction, now, valid, verdict), isFollowUp: true });
  }
  const { expired, nextMs } = expiry(state, now);
  return {
    steps: [[...validated, ...expired], removals, executed],
    ...(nextMs !== undefined && { requeueAfterMs: nextMs }),
  };
}

type Verdict = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

const valid: Verdict = {
  type: evictionConditions.valid,
  status: 'True',
  reason: evictionReasons.valid,
  message: 'Eviction is valid',
};

function invalid(message: string): Verdict {
  return { type: evictionConditions.valid, status: 'False', reason: evictionReasons.invalid, message };
}

function allowed(message: string): Verdict {
  return { type: evictionConditions.executed, status: 'True', reason: evictionReasons.executed, message };
}

function blocked(message: string): Verdict {
  return { type: evictionConditions.executed, status: 'False', reason: evictionReasons.notExecuted, message };
}

function statusWrite(
  { metadata, status }: Readonly<Eviction>,
  now: Date,
  ...verdicts: readonly Verdict[]
): Write & { verb: 'patch' } {
  const { name = '', resourceVersion = '', generation = 0 } = metadata;
  let conditions: Condition[] = status?.conditions ?? [];
  for (const verdict of verdicts) {
    conditions = withCondition(conditions, { ...verdict, observedGeneration: generation }, now);
  }
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  return { verb: 'patch', kind: clusterResourcePlacementEvictions, key: { name }, subresource: 'status', patch };
}

/** The condition that ended the eviction; undefined if it is not decided yet. */
export function endOf({ metadata, status }: Readonly<Eviction>): Condition | undefined {
  const executed = conditionOf(status?.conditions, evictionConditions.executed);
  if (executed !== undefined) return executed;
  const validity = conditionOf(status?.conditions, evictionConditions.valid);
  const isCurrent = (validity?.observedGeneration ?? 0) === (metadata.generation ?? 0);
  return validity?.status === 'False' && isCurrent ? validity : undefined;
}

function expiry({ evictions, ttlMs }: EvictionState, now: Date): { expired: Write[]; nextMs: number | undefined } {
  const expired: Write[] = [];
  let nextMs: number | undefined;
  for (const eviction of ttlMs > 0 ? evictions : []) {
    const end = endOf(eviction);
    if (end === undefined) continue;
    const leftMs = Date.parse(end.lastTransitionTime) + ttlMs - now.getTime();
    if (leftMs > 0) {
      nextMs = Math.min(nextMs ?? Infinity, leftMs);
      continue;
    }
    const { name = '', uid = '' } = eviction.metadata;
    expired.push({ verb: 'delete', kind: clusterResourcePlacementEvictions, key: { name }, uid });
  }
  return { expired, nextMs };
}
