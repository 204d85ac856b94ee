/** What became of a placement on one cluster. */
import {
  conditionOf,
  perClusterConditions,
  placementConditionType,
  type Condition,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';

export interface PlacementRow {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Empty where the scheduler has found no cluster. */
  readonly cluster: string;
  readonly resourceSnapshotIndex: string;
  /** The last condition that holds, or the first one that does not: `Available`, `not Applied`. */
  readonly state: string;
  /** Why the state is not the last one. */
  readonly message: string;
}

/** One row for each cluster in the status of a placement; one without a cluster if there is none. */
export function placementRows({ placement: kind }: PlacementFamily, { metadata, status }: Placement): PlacementRow[] {
  const common = {
    kind: kind.kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name ?? '',
  };
  const clusters = status?.placementStatuses ?? [];
  if (clusters.length === 0) {
    const scheduled = conditionOf(status?.conditions, placementConditionType(kind, 'scheduled'));
    return [
      {
        ...common,
        cluster: '',
        resourceSnapshotIndex: '',
        ...stateOf(scheduled ? [{ ...scheduled, type: 'Scheduled' }] : []),
      },
    ];
  }
  return clusters.map(({ clusterName = '', observedResourceIndex = '', conditions = [] }) => ({
    ...common,
    cluster: clusterName,
    resourceSnapshotIndex: observedResourceIndex,
    ...stateOf(conditions),
  }));
}

const order: readonly string[] = Object.values(perClusterConditions);

/** The state of a cluster, a Work or a manifest by its conditions. */
export function stateOf(
  conditions: readonly Condition[],
  withoutConditions = 'not Scheduled',
): Pick<PlacementRow, 'state' | 'message'> {
  const open = openConditionOf(conditions);
  if (open !== undefined) return { state: `not ${open.type}`, message: open.message };
  return { state: inOrder(conditions).at(-1)?.type ?? withoutConditions, message: '' };
}

/** The first condition that does not hold. */
export function openConditionOf(conditions: readonly Condition[]): Condition | undefined {
  return inOrder(conditions).find(({ status }) => status !== 'True');
}

function inOrder(conditions: readonly Condition[]): Condition[] {
  return order.flatMap((type) => conditionOf(conditions, type) ?? []);
}
