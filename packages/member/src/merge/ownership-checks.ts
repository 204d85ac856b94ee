/** Checks the owners of an object before it is taken over, and before a manifest is applied to it. */
import type { ApplyStrategy } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { isAppliedWork, isOwnedBy, isOwnedByAnotherWork, isSameOwner, ownersOf } from './owners.ts';

/** Messages of conflicts start with one of these words of KubeFleet, so that users can search for them. */
export type ConflictWord = 'ApplyConflictBetweenPlacements' | 'ApplyConflictWithOtherApplier';

/** The owners of the object do not permit applying the manifest. */
export class OwnershipRefusal extends Error {
  override readonly name = 'OwnershipRefusal';
  readonly conflict: ConflictWord | undefined;

  constructor(message: string, conflict?: ConflictWord) {
    super(message);
    this.conflict = conflict;
  }
}

interface Sides {
  /** Not sanitised: owners in it are an error, although they would not be sent. */
  readonly manifest: KubeObject;
  readonly live: KubeObject | undefined;
  readonly owner: OwnerReference;
  readonly strategy: Pick<ApplyStrategy, 'allowCoOwnership'>;
}

/** Called before every apply, because strategy and owners may have changed since the object was taken over. */
export function checkOwnersBeforeApply({ manifest, live, owner, strategy }: Sides): void {
  const mayShare = strategy.allowCoOwnership === true;
  const named = ownersOf(manifest);
  if (named.length > 0 && !mayShare) {
    throw new OwnershipRefusal(
      `the manifest has ownerReferences (${namesOf(named)}); remove them, or set allowCoOwnership in the apply strategy`,
    );
  }
  if (named.some(isAppliedWork)) {
    throw new OwnershipRefusal(
      'the manifest has an AppliedWork in its ownerReferences, which only the agent may set; remove it',
    );
  }
  if (live === undefined) return;
  const owners = ownersOf(live);
  if (isOwnedByAnotherWork(owners, owner)) throw ownedTwice(owners, owner);
  if (owners.length > 1 && !mayShare) {
    const others = namesOf(owners.filter((other) => !isSameOwner(other, owner)));
    throw new OwnershipRefusal(
      `the object on the member is also owned by ${others}; remove that owner, or set allowCoOwnership in the apply strategy`,
    );
  }
  if (!isOwnedBy(live, owner)) {
    throw new OwnershipRefusal('the object on the member is no longer owned by this Work');
  }
}

interface TakeOver {
  /** Of the live object, without stale ones. */
  readonly owners: readonly OwnerReference[];
  readonly owner: OwnerReference;
  readonly strategy: Pick<ApplyStrategy, 'allowCoOwnership'>;
}

export function checkOwnersBeforeTakeOver({ owners, owner, strategy }: TakeOver): void {
  if (isOwnedByAnotherWork(owners, owner)) throw ownedTwice(owners, owner);
  if (owners.length > 0 && strategy.allowCoOwnership !== true) {
    throw new OwnershipRefusal(
      `the object on the member is already owned by ${namesOf(owners)}; set allowCoOwnership in the apply strategy to share it`,
    );
  }
}

function ownedTwice(owners: readonly OwnerReference[], owner: OwnerReference): OwnershipRefusal {
  const others = owners.filter((other) => isAppliedWork(other) && other.uid !== owner.uid);
  const works = others.map(({ name }) => name).join(', ');
  return new OwnershipRefusal(
    `the object on the member is already applied by the Work ${works}; remove it from one of the two placements`,
    'ApplyConflictBetweenPlacements',
  );
}

function namesOf(owners: readonly OwnerReference[]): string {
  return owners.map(({ kind, name }) => `${kind} ${name}`).join(', ');
}
