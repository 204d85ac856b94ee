import type { Write } from '@flotilla/runtime';
import { kinds, type ReplicaSet } from '../kinds.ts';
import { revisionOf } from './annotations.ts';
import { historyLimit } from './limits.ts';
import { byAge, isUnobserved, sizeOf, type Rollout } from './rollout.ts';

/** Deletes old sets without pods, the oldest revisions first, until no more than the limit are left. */
export function cleanupWrites({ deployment, oldSets }: Rollout): Write[] {
  const limit = historyLimit(deployment);
  if (limit === undefined) return [];
  const kept = oldSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const byRevision = kept.toSorted((a, b) => compareRevisions(a, b) || byAge(a, b));
  return byRevision
    .slice(0, Math.max(0, kept.length - limit))
    .filter((set) => sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !isUnobserved(set))
    .map(({ metadata: { namespace, name = '', uid = '' } }) => {
      return { verb: 'delete', kind: kinds.replicaSet, key: { namespace, name }, uid };
    });
}

function compareRevisions(a: Readonly<ReplicaSet>, b: Readonly<ReplicaSet>): number {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined ? 0 : Number(first - second);
}
