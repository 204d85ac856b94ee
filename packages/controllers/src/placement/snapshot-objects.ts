/** The snapshots of a placement as objects: names, labels, annotations and owner are KubeFleet's. */
import {
  furtherSnapshotName,
  latestLabel,
  numberOfClustersAnnotation,
  numberOfEnvelopesAnnotation,
  numberOfSnapshotsAnnotation,
  placementGenerationAnnotation,
  placementLabel,
  policyIndexLabel,
  policySnapshotName,
  resourceHashAnnotation,
  resourceIndexLabel,
  resourceSnapshotName,
  snapshotSubindexAnnotation,
  type Placement,
  type PlacementFamily,
  type PolicySnapshot,
  type ResourceSnapshot,
} from '@flotilla/api';
import { apiVersionOf, type JsonObject, type Kind, type KubeObject, type ObjectMeta } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';

/** Of which placement a snapshot is. */
export interface SnapshotOwner {
  readonly family: PlacementFamily;
  readonly placement: Readonly<Placement>;
}

export function policySnapshotOf(owner: SnapshotOwner, index: number, policyHash: string): PolicySnapshot {
  const { family, placement } = owner;
  const { policy } = placement.spec;
  const metadata = metadataOf(owner, policySnapshotName(nameOf(placement), index));
  return {
    ...typeOf(family.policySnapshot),
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [latestLabel]: 'true', [policyIndexLabel]: String(index) },
      annotations: policyAnnotations(placement),
    },
    spec: { ...(policy && { policy }), policyHash },
  };
}

/** What may change in a policy snapshot: the generation that was observed, and how many clusters PickN selects. */
export function policyAnnotations({ metadata, spec: { policy } }: Readonly<Placement>): Record<string, string> {
  const number = policy?.placementType === 'PickN' ? policy.numberOfClusters : undefined;
  return {
    [placementGenerationAnnotation]: String(metadata.generation ?? 0),
    ...(number !== undefined && { [numberOfClustersAnnotation]: String(number) }),
  };
}

export interface GroupFacts {
  readonly index: number;
  readonly hash: string;
  /** How many snapshots the group has. */
  readonly size: number;
  readonly envelopes: number;
}

/** The first snapshot of a group. */
export function masterOf(owner: SnapshotOwner, facts: GroupFacts, resources: JsonObject[]): ResourceSnapshot {
  const metadata = metadataOf(owner, resourceSnapshotName(nameOf(owner.placement), facts.index));
  return {
    ...typeOf(owner.family.resourceSnapshot),
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [latestLabel]: 'true', [resourceIndexLabel]: String(facts.index) },
      annotations: {
        [resourceHashAnnotation]: facts.hash,
        [numberOfSnapshotsAnnotation]: String(facts.size),
        [numberOfEnvelopesAnnotation]: String(facts.envelopes),
      },
    },
    spec: { selectedResources: resources },
  };
}

/** A further snapshot of a group. It has no label that says whether it is the latest. */
export function furtherSnapshotOf(
  owner: SnapshotOwner,
  index: number,
  subindex: number,
  resources: JsonObject[],
): ResourceSnapshot {
  const metadata = metadataOf(owner, furtherSnapshotName(nameOf(owner.placement), index, subindex));
  return {
    ...typeOf(owner.family.resourceSnapshot),
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [resourceIndexLabel]: String(index) },
      annotations: { [snapshotSubindexAnnotation]: String(subindex) },
    },
    spec: { selectedResources: resources },
  };
}

export function nameOf({ metadata: { name = '' } }: Readonly<KubeObject>): string {
  return name;
}

function typeOf(kind: Kind): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind };
}

function metadataOf({ family, placement }: SnapshotOwner, name: string): ObjectMeta {
  const { namespace, uid = '' } = placement.metadata;
  const owner = { ...typeOf(family.placement), name: nameOf(placement), uid };
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: { [placementLabel]: nameOf(placement) },
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
  };
}

export function isBeingDeleted({ metadata }: Readonly<KubeObject>): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** Changes labels and annotations of a snapshot that was not changed since. */
export function patchOf(
  kind: Kind,
  { metadata: { namespace, name = '', resourceVersion = '' } }: Readonly<KubeObject>,
  metadata: Pick<ObjectMeta, 'labels' | 'annotations'>,
): Write {
  return { verb: 'patch', kind, key: { namespace, name }, patch: { metadata: { resourceVersion, ...metadata } } };
}

/** Deletes those that are not being deleted. */
export function deletionsOf(kind: Kind, snapshots: readonly Readonly<KubeObject>[]): Write[] {
  return snapshots
    .filter((snapshot) => !isBeingDeleted(snapshot))
    .map(({ metadata: { namespace, name = '', uid = '' } }) => ({
      verb: 'delete',
      kind,
      key: { namespace, name },
      uid,
    }));
}
