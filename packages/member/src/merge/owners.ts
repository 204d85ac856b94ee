/** Owner references of objects on the member. Applied objects are owned by the AppliedWork, and deleted with it. */
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

/** The owner references of an object. An invalid list counts as empty. */
export function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  const owners: unknown = metadata.ownerReferences;
  return Array.isArray(owners) && owners.every(isJsonObject) ? (owners as OwnerReference[]) : [];
}

/** Ignores `controller` and `blockOwnerDeletion`. */
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

/** Whether another Work owns the object too. */
export function isOwnedByAnotherWork(owners: readonly OwnerReference[], owner: OwnerReference): boolean {
  return owners.some((other) => isAppliedWork(other) && other.uid !== owner.uid);
}

export function withOwners(object: KubeObject, ownerReferences: readonly OwnerReference[]): KubeObject {
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...ownerReferences] } };
}

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
 * Drops AppliedWorks without a Work, which an earlier membership left behind. Ignores uids, because an AppliedWork serves any
 * Work of its name. As in KubeFleet, apiVersion or kind is enough to recognise an AppliedWork.
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
