/** What must be true of an object's owners before it is taken over, and before anything is applied to it. */
import type { ApplyStrategy } from '@flotilla/api';
import { goPrint, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { isAppliedWork, isOwnedBy, isPlacedByAnother, ownersOf } from './owners.ts';

/** The words under which users look for a conflict; the message of the condition begins with one. */
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
    throw new OwnershipRefusal('manifest is set to have owner references but co-ownership is disallowed');
  }
  if (named.some(isAppliedWork)) {
    throw new OwnershipRefusal('an AppliedWork object is unexpectedly added as an owner in the manifest object');
  }
  if (live === undefined) return;
  const owners = ownersOf(live);
  if (owners.length > 1 && !mayShare) {
    throw new OwnershipRefusal('object is co-owned by multiple objects but co-ownership has been disallowed');
  }
  if (!isOwnedBy(live, owner)) {
    throw new OwnershipRefusal('object is not owned by the expected AppliedWork object');
  }
  if (isPlacedByAnother(owners, owner)) {
    const sentence = 'object is already owned by another AppliedWork object';
    throw new OwnershipRefusal(sentence, 'ApplyConflictBetweenPlacements');
  }
}

interface TakeOver {
  /** Those that the live object has, without stale ones. */
  readonly owners: readonly OwnerReference[];
  readonly owner: OwnerReference;
  readonly strategy: Pick<ApplyStrategy, 'allowCoOwnership'>;
}

export function checkOwnersBeforeTakeOver({ owners, owner, strategy }: TakeOver): void {
  const isPlacedTwice = isPlacedByAnother(owners, owner);
  const conflict = isPlacedTwice ? 'ApplyConflictBetweenPlacements' : undefined;
  if (owners.length > 0 && strategy.allowCoOwnership !== true) {
    const names = `existingOwnerRefs: ${goPrint([...owners])}`;
    const sentence = `the object is already owned by some other sources(s) and co-ownership is disallowed (${names})`;
    throw new OwnershipRefusal(sentence, conflict);
  }
  if (isPlacedTwice) {
    throw new OwnershipRefusal('the object is already owned by another Fleet AppliedWork object', conflict);
  }
}
