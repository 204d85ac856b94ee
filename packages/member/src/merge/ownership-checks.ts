/** What must be true of an object's owners before it is taken over, and before anything is applied to it. */
import type { ApplyStrategy } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { isAppliedWork, isOwnedBy, isPlacedByAnother, isSameOwner, ownersOf } from './owners.ts';

/** The words under which users look for a conflict, with another placement or with anybody else; a message begins with one. */
export type ConflictWord = 'ApplyConflictBetweenPlacements' | 'ApplyConflictWithOtherApplier';

/** An object whose owners forbid what the Work asks for. */
export class OwnershipRefusal extends Error {
  override readonly name = 'OwnershipRefusal';
  readonly conflict: ConflictWord | undefined;

  constructor(message: string, conflict?: ConflictWord) {
    super(message);
    this.conflict = conflict;
  }
}

interface Sides {
  /** As it came: owners that it names are a fault of its author, although they would never be sent. */
  readonly manifest: KubeObject;
  readonly live: KubeObject | undefined;
  readonly owner: OwnerReference;
  readonly strategy: Pick<ApplyStrategy, 'allowCoOwnership'>;
}

/** Looked at before every apply: the strategy may have changed since the object was taken over, and so may its owners. */
export function checkOwnersBeforeApply({ manifest, live, owner, strategy }: Sides): void {
  const mayShare = strategy.allowCoOwnership === true;
  const named = ownersOf(manifest);
  if (named.length > 0 && !mayShare) {
    throw new OwnershipRefusal(
      `the manifest names owners of its own, ${namesOf(named)}; take them out, or set allowCoOwnership in the apply strategy`,
    );
  }
  if (named.some(isAppliedWork)) {
    throw new OwnershipRefusal(
      'the manifest names an AppliedWork as an owner, which only the agent may do; take it out',
    );
  }
  if (live === undefined) return;
  const owners = ownersOf(live);
  if (isPlacedByAnother(owners, owner)) throw placedTwice(owners, owner);
  if (owners.length > 1 && !mayShare) {
    const others = namesOf(owners.filter((other) => !isSameOwner(other, owner)));
    throw new OwnershipRefusal(
      `the object on the member also belongs to ${others}; remove that owner there, or set allowCoOwnership in the apply strategy`,
    );
  }
  if (!isOwnedBy(live, owner)) {
    throw new OwnershipRefusal('the object on the member does not belong to this Work any more');
  }
}

interface TakeOver {
  /** Those that the live object has, without stale ones. */
  readonly owners: readonly OwnerReference[];
  readonly owner: OwnerReference;
  readonly strategy: Pick<ApplyStrategy, 'allowCoOwnership'>;
}

export function checkOwnersBeforeTakeOver({ owners, owner, strategy }: TakeOver): void {
  if (isPlacedByAnother(owners, owner)) throw placedTwice(owners, owner);
  if (owners.length > 0 && strategy.allowCoOwnership !== true) {
    throw new OwnershipRefusal(
      `the object on the member already belongs to ${namesOf(owners)}; set allowCoOwnership in the apply strategy to share it`,
    );
  }
}

function placedTwice(owners: readonly OwnerReference[], owner: OwnerReference): OwnershipRefusal {
  const others = owners.filter((other) => isAppliedWork(other) && other.uid !== owner.uid);
  const works = others.map(({ name }) => name).join(', ');
  return new OwnershipRefusal(
    `the object on the member already comes from the Work ${works}; an object can be placed once only, so take it out of one of the placements`,
    'ApplyConflictBetweenPlacements',
  );
}

function namesOf(owners: readonly OwnerReference[]): string {
  return owners.map(({ kind, name }) => `${kind} ${name}`).join(', ');
}
