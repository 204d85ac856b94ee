import type { AddOnPlacementScore } from '@flotilla/api';
import type { Prioritizer } from './prioritizer.ts';

/** Scores by an add-on: the AddOnPlacementScore with this name in the namespace of each cluster. Others score 0. */
export function addOnPrioritizer(resourceName: string, scoreName: string): Prioritizer {
  return {
    name: `AddOn/${resourceName}/${scoreName}`,
    score: ({ rows, scoreOf, now }) => {
      const expired: string[] = [];
      let changesAt = Infinity;
      const values = rows.map(({ name: cluster }) => {
        const found = scoreOf(cluster, resourceName);
        if (found === undefined) return 0;
        const until = validUntil(found);
        if (now > until) {
          expired.push(`${cluster}/${resourceName}`);
          return 0;
        }
        changesAt = Math.min(changesAt, until);
        return found.status?.scores?.findLast(({ name }) => name === scoreName)?.value ?? 0;
      });
      return {
        values,
        ...(expired.length > 0 && { warning: `AddOnPlacementScores ${listOf(expired)} expired` }),
        // A score counts in the moment that it names.
        ...(Number.isFinite(changesAt) && { changesAt: changesAt + 1 }),
      };
    },
  };
}

/** In milliseconds since the epoch; Infinity if the scores never expire. */
function validUntil({ status }: Readonly<AddOnPlacementScore>): number {
  const until = Date.parse(status?.validUntil ?? '');
  return Number.isNaN(until) ? Infinity : until;
}

/** An event has room for about this many. */
const maxListed = 20;

function listOf(names: readonly string[]): string {
  return [...names.slice(0, maxListed), ...(names.length > maxListed ? ['...'] : [])].join(' ');
}
