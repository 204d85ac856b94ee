import type { Placement, PlacementFamily, Toleration } from '@flotilla/api';
import { placementProblem, type FindKind } from './placement-problem.ts';
import { tolerationText } from './policy-problems.ts';

export interface PlacementChange {
  readonly family: Pick<PlacementFamily, 'scope'>;
  readonly now: Placement;
  /** Absent for a create. */
  readonly old?: Placement | undefined;
}

/** Why a placement must not be written, in KubeFleet's words; undefined if it may. */
export function refusedPlacement({ family, now, old }: PlacementChange, findKind: FindKind): string | undefined {
  const short = family.scope === 'Cluster' ? 'CRP' : 'RP';
  const problemOf = ({ metadata, spec }: Placement) => placementProblem(family, metadata.name ?? '', spec, findKind);
  if (old !== undefined) {
    const before = problemOf(old);
    if (before !== undefined) {
      // An invalid placement can be deleted: its finalizers must go. KubeFleet also refuses to mend it, which helps no user.
      if (now.metadata.deletionTimestamp !== undefined || problemOf(now) === undefined) return undefined;
      return `deny update on old invalid v1beta1 ${short} with DeletionTimestamp not set ${before}`;
    }
    if (typeOf(old) !== typeOf(now)) return 'placement type is immutable';
    if (losesToleration(old, now)) {
      return 'tolerations have been updated/deleted, only additions to tolerations are allowed';
    }
  }
  const problem = problemOf(now);
  return problem && `deny create/update v1beta1 ${short} has invalid fields ${problem}`;
}

function typeOf({ spec: { policy } }: Placement): string {
  return policy?.placementType ?? 'PickAll';
}

function losesToleration(old: Placement, now: Placement): boolean {
  const kept = new Set(tolerationsOf(now).map(tolerationText));
  return tolerationsOf(old).some((toleration) => !kept.has(tolerationText(toleration)));
}

function tolerationsOf({ spec: { policy } }: Placement): readonly Toleration[] {
  return policy?.tolerations ?? [];
}
