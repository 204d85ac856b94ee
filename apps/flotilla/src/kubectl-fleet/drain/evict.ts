/** Requests evictions from a cluster and waits for what the hub decides. */
import { randomUUID } from 'node:crypto';
import { clusterResourcePlacementEvictions, conditionOf, evictionConditions, type Eviction } from '@flotilla/api';
import { apiVersionOf } from '@flotilla/kube';
import { inParallel } from '@flotilla/timing';
import type { Session } from '../../session/session.ts';
import { watchUntil } from '../watch-until.ts';

export interface Verdict {
  readonly placement: string;
  readonly eviction: string;
  /** `gone`: the placement left the cluster, or is leaving it, without this eviction. */
  readonly outcome: 'executed' | 'gone' | 'refused';
  readonly message: string;
}

/** A server refuses a user that has hundreds of requests in flight. */
export const requestsAtOnce = 32;

/** One eviction for each placement. */
export async function evict(session: Session, cluster: string, placements: readonly string[]): Promise<Verdict[]> {
  const { hub, signal } = session;
  const requested = placements.map((placement) => anEviction(placement, cluster));
  await inParallel(requested, requestsAtOnce, (eviction) =>
    hub.create(clusterResourcePlacementEvictions, eviction, { signal }),
  );
  const open = new Set(requested.map(({ metadata }) => metadata.name ?? ''));
  const verdicts: Verdict[] = [];
  await watchUntil(session, clusterResourcePlacementEvictions, (evictions) => {
    for (const name of open) {
      const eviction = evictions.get(name);
      const verdict = eviction && verdictOn(eviction);
      if (verdict === undefined) continue;
      verdicts.push(verdict);
      open.delete(name);
    }
    return open.size === 0;
  });
  return verdicts.sort((a, b) => (a.placement < b.placement ? -1 : 1));
}

function anEviction(placementName: string, clusterName: string): Eviction {
  return {
    apiVersion: apiVersionOf(clusterResourcePlacementEvictions),
    kind: clusterResourcePlacementEvictions.kind,
    metadata: { name: `drain-eviction-${placementName}-${clusterName}-${randomUUID().slice(0, 8)}` },
    spec: { placementName, clusterName },
  };
}

/** What the hub says of evictions that came too late. The reason is the same for all that are invalid. */
const tooLate = new Set([
  'Failed to find ClusterResourcePlacement targeted by eviction',
  'Found deleting ClusterResourcePlacement targeted by eviction',
  'Failed to find scheduler decision for placement in cluster targeted by eviction',
]);

/** Undefined while it is not decided. */
export function verdictOn({ metadata, spec, status }: Eviction): Verdict | undefined {
  const executed = conditionOf(status?.conditions, evictionConditions.executed);
  const valid = conditionOf(status?.conditions, evictionConditions.valid);
  const names = { placement: spec.placementName, eviction: metadata.name ?? '' };
  if (executed !== undefined) {
    const outcome = executed.status === 'True' ? 'executed' : 'refused';
    return { ...names, outcome, message: executed.message };
  }
  if (valid?.status !== 'False') return undefined;
  return { ...names, outcome: tooLate.has(valid.message) ? 'gone' : 'refused', message: valid.message };
}
