import type { ApplyStrategy } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { ownersOf, withoutStaleOwners } from '../../merge/owners.ts';
import { checkOwnersBeforeTakeOver, OwnershipRefusal } from '../../merge/ownership-checks.ts';
import { problemOf } from './problem-of.ts';

export interface TakeOverTerms {
  /** The AppliedWork of our Work. */
  readonly owner: OwnerReference;
  readonly strategy: ApplyStrategy;
  /** Whether the hub has a Work of this name for our member. */
  readonly hasWork: (name: string) => boolean;
}

/** The owners that the object will have, or why it must not become ours. */
export type TakeOver = { readonly owners: readonly OwnerReference[] } | { readonly problem: string };

/** Whether an object that was on the member before may become ours. Owners that an earlier membership left do not count. */
export function judgeTakeOver(live: KubeObject, { owner, strategy, hasWork }: TakeOverTerms): TakeOver {
  // Ours is the only one of its name: another has gone, and its definition perhaps with it.
  const owners = withoutStaleOwners(ownersOf(live), (name) => name !== owner.name && hasWork(name));
  try {
    checkOwnersBeforeTakeOver({ owners, owner, strategy });
    return { owners: [...owners, owner] };
  } catch (error) {
    if (error instanceof OwnershipRefusal) return { problem: problemOf(error) };
    throw error;
  }
}
