/** Decisions about clusters as the status of a policy snapshot has them. The sentences are KubeFleet's. */
import type { ClusterDecision } from '@flotilla/api';
import { withoutAge } from './eligibility.ts';

export interface Score {
  readonly affinity: number;
  readonly spread: number;
}

/** The schema allows no more. */
const maxDecisions = 1000;
const maxUnselected = 20;

export function selectedDecision(cluster: string, score: Score | undefined): ClusterDecision {
  const scores = score === undefined ? '' : ` ${scoreText(score)}`;
  return {
    clusterName: cluster,
    selected: true,
    ...(score && { clusterScore: wireScore(score) }),
    reason: `Successfully scheduled resources for placement in "${cluster}"${scores}: picked by scheduling policy`,
  };
}

export function outscoredDecision(cluster: string, score: Score): ClusterDecision {
  const reason = `Cluster "${cluster}" does not score high enough ${scoreText(score)}`;
  return { clusterName: cluster, selected: false, clusterScore: wireScore(score), reason };
}

export function rejectedDecision(cluster: string, reasons: readonly string[]): ClusterDecision {
  return { clusterName: cluster, selected: false, reason: ['ClusterUnschedulable', ...reasons].join(', ') };
}

export function ineligibleDecision(cluster: string, reason: string): ClusterDecision {
  const text = `Cluster "${cluster}" is not eligible for resource placement yet: ${reason}`;
  return { clusterName: cluster, selected: false, reason: text };
}

export function notFoundDecision(cluster: string): ClusterDecision {
  return { clusterName: cluster, selected: false, reason: `Specified cluster "${cluster}" is not found` };
}

/**
 * The selected clusters and the first of the others. Unlike KubeFleet's, the limit counts only entries that are listed: selected
 * clusters that no longer fit leave room for others.
 */
export function limitedDecisions(
  selected: readonly ClusterDecision[],
  unselected: Iterable<ClusterDecision>,
): ClusterDecision[] {
  const decisions = selected.slice(0, maxDecisions);
  const limit = Math.min(maxDecisions, decisions.length + maxUnselected);
  if (decisions.length === limit) return decisions;
  const listed = new Set(decisions.map(({ clusterName }) => clusterName));
  for (const decision of unselected) {
    if (listed.has(decision.clusterName)) continue;
    decisions.push(decision);
    if (decisions.length === limit) break;
  }
  return decisions;
}

/**
 * The decisions, or the previous list itself if it has the same ones in any order. The age of a heartbeat in a sentence does not count as
 * a difference, so that a cluster that stays disconnected causes no writes.
 */
export function withPrevious(
  decisions: readonly ClusterDecision[],
  previous: readonly ClusterDecision[],
): readonly ClusterDecision[] {
  const byCluster = new Map(previous.map((decision) => [decision.clusterName, decision]));
  let unchanged = 0;
  const merged = decisions.map((decision) => {
    const before = byCluster.get(decision.clusterName);
    if (before === undefined || !isSameDecision(before, decision)) return decision;
    unchanged++;
    return before;
  });
  return unchanged === previous.length && unchanged === decisions.length ? previous : merged;
}

function isSameDecision(a: ClusterDecision, b: ClusterDecision): boolean {
  return (
    a.selected === b.selected &&
    a.clusterScore?.affinityScore === b.clusterScore?.affinityScore &&
    a.clusterScore?.priorityScore === b.clusterScore?.priorityScore &&
    (a.reason === b.reason || withoutAge(a.reason) === withoutAge(b.reason))
  );
}

function scoreText({ affinity, spread }: Score): string {
  return `(affinity score: ${affinity}, topology spread score: ${spread})`;
}

function wireScore({ affinity, spread }: Score): NonNullable<ClusterDecision['clusterScore']> {
  return { affinityScore: affinity, priorityScore: spread };
}
