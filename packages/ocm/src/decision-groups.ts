/** How selected clusters are divided into groups and PlacementDecisions. */
import type { OcmPlacementSpec, SelectedCluster } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';
import { ClusterSelector } from './filters/cluster-selector.ts';
import { Misconfiguration } from './misconfiguration.ts';
import type { Candidate } from './spread.ts';

/** Consumers expect no more in a PlacementDecision. */
const maxDecisions = 100;

export interface ClusterGroup {
  /** Empty for clusters that no group of the spec matches. */
  readonly name: string;
  /** At least one list of at most 100, one for each PlacementDecision. */
  readonly decisions: readonly (readonly SelectedCluster[])[];
  readonly size: number;
}

export interface Grouping {
  /** Their positions are their indexes. */
  readonly groups: readonly ClusterGroup[];
  /** What is wrong with the strategy. The groups before it stay. */
  readonly problem: string | undefined;
}

export function groupClusters(spec: Readonly<OcmPlacementSpec>, selected: readonly Candidate[]): Grouping {
  const { clustersPerDecisionGroup = '100%', decisionGroups = [] } = spec.decisionStrategy?.groupStrategy ?? {};
  const groups: ClusterGroup[] = [];
  try {
    const size = groupSize(clustersPerDecisionGroup, selected.length);
    const inOrder = selected.toSorted(spec.sortBy === 'Score' ? byScore : byName);
    const unassigned = new Set(inOrder);
    for (const { groupName, groupClusterSelector } of decisionGroups) {
      const selector = new ClusterSelector(groupClusterSelector);
      const members = [...unassigned].filter(({ row }) => selector.evaluate(row).isMatch);
      for (const member of members) unassigned.delete(member);
      groups.push(...divided(groupName, members, size));
    }
    groups.push(...divided('', [...unassigned], size));
  } catch (error) {
    if (error instanceof Misconfiguration) return { groups, problem: error.message };
    throw error;
  }
  // Consumers find an empty PlacementDecision rather than none.
  return { groups: groups.length === 0 ? [{ name: '', decisions: [[]], size: 0 }] : groups, problem: undefined };
}

function byName(a: Candidate, b: Candidate): number {
  return compareBytes(a.row.name, b.row.name);
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || byName(a, b);
}

function groupSize(perGroup: number | string, total: number): number {
  const size = typeof perGroup === 'number' ? perGroup : percentageOf(perGroup, total);
  return size <= 0 || size > total ? total : size;
}

function percentageOf(text: string, total: number): number {
  if (!/^\d{1,9}(\.\d{1,9})?%$/.test(text)) {
    throw new Misconfiguration(`${text} invalid type: string is not a percentage`);
  }
  return Math.ceil((Number(text.slice(0, -1)) / 100) * total);
}

function divided(name: string, members: readonly Candidate[], size: number): ClusterGroup[] {
  return runsOf(members, size).map((run) => ({
    name,
    decisions: runsOf(run.map(decisionOf), maxDecisions),
    size: run.length,
  }));
}

function runsOf<T>(items: readonly T[], size: number): T[][] {
  const runs: T[][] = [];
  for (let start = 0; start < items.length; start += size) runs.push(items.slice(start, start + size));
  return runs;
}

/** Without a score of 0, as Go writes it. */
function decisionOf({ row, score }: Candidate): SelectedCluster {
  return { clusterName: row.name, reason: '', ...(score !== 0 && { score }) };
}
