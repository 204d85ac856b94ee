import type { OwnerReference } from './object.ts';

interface DistinctOwners {
  readonly references: OwnerReference[];
  /** What the sender is told when references were dropped. */
  readonly warning: string | undefined;
}

/** Drops references that repeat another one in every field. */
export function distinctOwnerReferences(references: readonly OwnerReference[], after?: 'mutation'): DistinctOwners {
  const byUid = new Map<string, OwnerReference[]>();
  const distinct: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const reference of references) {
    const alike = byUid.get(reference.uid);
    if (alike?.some((other) => isSame(other, reference))) {
      repeated.push(reference.uid);
      continue;
    }
    distinct.push(reference);
    if (alike === undefined) byUid.set(reference.uid, [reference]);
    else alike.push(reference);
  }
  return { references: distinct, warning: repeated.length === 0 ? undefined : warningAbout(repeated, after) };
}

function warningAbout(uids: readonly string[], after: 'mutation' | undefined): string {
  const when = after === 'mutation' ? ' after mutating admission happens' : '';
  return (
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`
  );
}

function isSame(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
