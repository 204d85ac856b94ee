import {
  clusterFamily,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
  conditionOf,
  placementConditionType,
  placementReasons,
  withCondition,
  withoutCondition,
  type ConditionState,
  type Placement,
  type PlacementStatus,
  type PlacementStatusMirror,
} from '@flotilla/api';
import { apiVersionOf, formatTime, jsonEquals, type ApiError, type OwnerReference } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { namespaceProblem } from '../status/invalid-selectors.ts';

export interface MirrorState {
  readonly placement: Readonly<Placement>;
  /** That the placement selects. */
  readonly namespace: string;
  readonly mirror: Readonly<PlacementStatusMirror> | undefined;
}

/** Writes the copy only if the status has changed: KubeFleet writes it whenever it reconciles the placement. */
export function decideMirror(state: MirrorState, now: Date): Plan {
  const { placement, namespace } = state;
  // The placement controller says why in the condition Scheduled. A copy in another namespace would be readable by other users.
  if (placement.status === undefined || namespaceProblem(clusterFamily, placement) !== undefined) return nothingToDo;
  const stranger = otherController(state);
  if (stranger !== undefined) {
    const owned = `Object ${namespace}/${placement.metadata.name} is already owned by another ${stranger.kind} controller ${stranger.name}`;
    return { steps: [synced(placement, failure(owned), now)] };
  }
  return {
    steps: [copied(state, now), synced(placement, success(namespace), now)],
    refused: ({ message }: ApiError) => ({
      steps: [synced(placement, failure(message), now)],
    }),
  };
}

const syncedType = placementConditionType(clusterFamily.placement, 'statusSynced');

type Outcome = Pick<ConditionState, 'status' | 'reason' | 'message'>;

function success(namespace: string): Outcome {
  return {
    status: 'True',
    reason: placementReasons.statusSynced,
    message: `Successfully created or updated ClusterResourcePlacementStatus in namespace '${namespace}'`,
  };
}

function failure(why: string): Outcome {
  return {
    status: 'False',
    reason: placementReasons.statusSyncFailed,
    message: `Failed to create or update ClusterResourcePlacementStatus: error returned by the API server: failed to create or update ClusterResourcePlacementStatus: ${why}`,
  };
}

/** The condition is about the placement, not about the copy; the copy does not have it. */
function sourceOf({ conditions = [], ...status }: PlacementStatus): PlacementStatus {
  return { ...status, conditions: withoutCondition(conditions, syncedType) };
}

function copied({ placement, namespace, mirror }: MirrorState, now: Date): Write[] {
  const sourceStatus = sourceOf(placement.status ?? {});
  const owner = ownerOf(placement);
  const lastUpdatedTime = formatTime(now);
  if (mirror === undefined) {
    const object: PlacementStatusMirror = {
      apiVersion: apiVersionOf(clusterResourcePlacementStatuses),
      kind: clusterResourcePlacementStatuses.kind,
      metadata: { namespace, name: owner.name, ownerReferences: [owner] },
      sourceStatus,
      lastUpdatedTime,
    };
    return [{ verb: 'create', kind: clusterResourcePlacementStatuses, object }];
  }
  const { ownerReferences = [] } = mirror.metadata;
  const isOwned = ownerReferences.some((one) => jsonEquals(one, owner));
  if (isOwned && jsonEquals(mirror.sourceStatus, sourceStatus)) return [];
  // An earlier placement of this name may own it, until it is collected.
  const others = ownerReferences.filter((one) => !isSameObject(one, owner));
  const metadata = { ...mirror.metadata, ownerReferences: [...others, owner] };
  const object = { ...mirror, metadata, sourceStatus, lastUpdatedTime };
  return [{ verb: 'update', kind: clusterResourcePlacementStatuses, object }];
}

function ownerOf({ metadata: { name = '', uid = '' } }: Readonly<Placement>): OwnerReference {
  return {
    apiVersion: apiVersionOf(clusterResourcePlacements),
    kind: clusterResourcePlacements.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The owner that another program has set, whose object this is. */
function otherController({ placement, mirror }: MirrorState): OwnerReference | undefined {
  const owner = ownerOf(placement);
  return mirror?.metadata.ownerReferences?.find((one) => one.controller === true && !isSameObject(one, owner));
}

function isSameObject(one: OwnerReference, other: OwnerReference): boolean {
  const groupOf = ({ apiVersion }: OwnerReference) => apiVersion.slice(0, apiVersion.lastIndexOf('/') + 1);
  return one.kind === other.kind && one.name === other.name && groupOf(one) === groupOf(other);
}

/** The patch carries the resourceVersion: the placement controller writes the other conditions. */
function synced({ metadata, status }: Readonly<Placement>, outcome: Outcome, now: Date): Write[] {
  const { name = '', resourceVersion, generation = 0 } = metadata;
  const state = { type: syncedType, observedGeneration: generation, ...outcome };
  const before = status?.conditions ?? [];
  const conditions = withCondition(before, state, now);
  if (jsonEquals(conditionOf(conditions, syncedType) ?? null, conditionOf(before, syncedType) ?? null)) return [];
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  return [{ verb: 'patch', kind: clusterResourcePlacements, key: { name }, patch, subresource: 'status' }];
}
