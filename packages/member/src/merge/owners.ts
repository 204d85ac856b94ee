/** Who owns an object of the member. What a Work brought is owned by its AppliedWork, so that it goes with it. */
import { appliedWorks, type AppliedWork } from '@flotilla/api';
import { apiVersionOf, isJsonObject, type KubeObject, type OwnerReference } from '@flotilla/kube';

const appliedWorkVersion = apiVersionOf(appliedWorks);

export function ownerReferenceTo({ metadata }: AppliedWork): OwnerReference {
  return {
    apiVersion: appliedWorkVersion,
    kind: appliedWorks.kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    blockOwnerDeletion: true,
  };
}

/** The owners that an object names. A list with anything odd in it counts as none. */
export function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  const owners: unknown = metadata.ownerReferences;
  return Array.isArray(owners) && owners.every(isJsonObject) ? (owners as OwnerReference[]) : [];
}

/** The same owner, whatever the flags of the reference say. */
export function isSameOwner(left: OwnerReference, right: OwnerReference): boolean {
  return (
    left.uid === right.uid &&
    left.name === right.name &&
    left.kind === right.kind &&
    left.apiVersion === right.apiVersion
  );
}

export function isOwnedBy(object: KubeObject, owner: OwnerReference): boolean {
  return ownersOf(object).some((other) => isSameOwner(other, owner));
}

export function isAppliedWork({ apiVersion, kind }: OwnerReference): boolean {
  return apiVersion === appliedWorkVersion && kind === appliedWorks.kind;
}

/** Whether another Work has placed the object too. */
export function isPlacedByAnother(owners: readonly OwnerReference[], owner: OwnerReference): boolean {
  return owners.some((other) => isAppliedWork(other) && other.uid !== owner.uid);
}

export function withOwners(object: KubeObject, ownerReferences: readonly OwnerReference[]): KubeObject {
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...ownerReferences] } };
}

/** The object with our reference behind those that it has. */
export function withOwner(object: KubeObject, owner: OwnerReference): KubeObject {
  return withOwners(object, [...ownersOf(object), owner]);
}

export function withoutOwner(object: KubeObject, owner: OwnerReference): KubeObject {
  return withOwners(
    object,
    ownersOf(object).filter((other) => !isSameOwner(other, owner)),
  );
}

/**
 * Owners without those that an earlier membership left behind: AppliedWorks whose Work is gone. No uid is asked for, since
 * an AppliedWork serves any Work of its name. As in KubeFleet, one of the two signs of an AppliedWork is enough.
 */
export function withoutStaleOwners(
  owners: readonly OwnerReference[],
  doesWorkExist: (name: string) => boolean,
): readonly OwnerReference[] {
  return owners.filter((owner) => !mayBeAppliedWork(owner) || doesWorkExist(owner.name));
}

function mayBeAppliedWork({ apiVersion, kind }: OwnerReference): boolean {
  return apiVersion === appliedWorkVersion || kind === appliedWorks.kind;
}
