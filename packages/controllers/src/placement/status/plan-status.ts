/** Writes the status of a placement, and the events about its change. */
import type { Condition, Placement, PlacementFamily, PlacementStatus } from '@flotilla/api';
import { jsonEquals, type JsonObject } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { isNamespaceAccessible } from './invalid-selectors.ts';
import { statusEvents } from './status-events.ts';

export interface NewStatus {
  readonly family: PlacementFamily;
  /** With the stored status. */
  readonly placement: Readonly<Placement>;
  readonly status: PlacementStatus;
}

/** A merge patch of the fields that change. No steps and no events if none does. */
export function planStatus({ family, placement, status }: NewStatus): Required<Pick<Plan, 'steps' | 'events'>> {
  const change = changedFields(placement.status ?? {}, status);
  if (Object.keys(change).length === 0) return { steps: [], events: [] };
  const { namespace, name = '' } = placement.metadata;
  const patch = { metadata: guardOf(family, placement), status: change };
  return {
    steps: [[{ verb: 'patch', kind: family.placement, key: { namespace, name }, patch, subresource: 'status' }]],
    events: statusEvents(family, placement, status),
  };
}

/**
 * The uid is enough where only the placement controller writes the status: a finalizer or a label that was written meanwhile is no
 * reason to compute it again. The controller of the status mirror writes a condition, too.
 */
function guardOf(family: PlacementFamily, placement: Readonly<Placement>): JsonObject {
  const { uid, resourceVersion } = placement.metadata;
  return isNamespaceAccessible(family, placement) ? { uid, resourceVersion } : { uid };
}

/** As a merge patch. Fields of a status are lists and texts, which a merge patch replaces. */
function changedFields(before: PlacementStatus, after: PlacementStatus): JsonObject {
  const change: JsonObject = {};
  for (const field of fields) {
    const [from = null, to = null] = [before[field], after[field]];
    const isSame = field === 'conditions' ? jsonEquals(byType(before), byType(after)) : jsonEquals(from, to);
    if (!isSame) change[field] = to;
  }
  return change;
}

/** Their order alone is no reason to write. */
function byType({ conditions = [] }: PlacementStatus): Condition[] {
  return conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

const fields = ['observedResourceIndex', 'selectedResources', 'placementStatuses', 'conditions'] as const;
