/** For tests: clusters, Placements, and what a scheduler makes of them. */
import type {
  AddOnPlacementScore,
  ManagedCluster,
  ManagedClusterSpec,
  ManagedClusterStatus,
  OcmPlacementSpec,
} from '@flotilla/api';
import { groupClusters } from './decision-groups.ts';
import type { PlacementOutcome } from './outcome.ts';
import { PlacementScheduler, type PlacementRequest } from './scheduler.ts';

export const now = new Date('2026-01-01T12:00:00Z');

export interface ClusterParts {
  readonly labels?: Record<string, string>;
  readonly claims?: Record<string, string>;
  readonly taints?: ManagedClusterSpec['taints'];
  readonly allocatable?: Record<string, number | string>;
  readonly status?: ManagedClusterStatus;
}

export function aManagedCluster(name: string, parts: ClusterParts = {}): ManagedCluster {
  const { labels = {}, claims = {}, taints, allocatable, status } = parts;
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 60, ...(taints && { taints }) },
    status: {
      clusterClaims: Object.entries(claims).map(([claim, value]) => ({ name: claim, value })),
      ...(allocatable && { allocatable, capacity: allocatable }),
      ...status,
    },
  };
}

export function someClusters(...names: string[]): ManagedCluster[] {
  return names.map((name) => aManagedCluster(name));
}

export function aScore(values: Record<string, number>, validUntil?: string): AddOnPlacementScore {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
    kind: 'AddOnPlacementScore',
    metadata: { name: 'usage' },
    status: {
      scores: Object.entries(values).map(([name, value]) => ({ name, value })),
      ...(validUntil !== undefined && { validUntil }),
    },
  };
}

export interface RequestParts {
  readonly chosen?: readonly string[];
  /** How often other Placements have selected clusters. */
  readonly elsewhere?: Record<string, number>;
  /** By cluster and name: `paris/usage`. */
  readonly scores?: Record<string, AddOnPlacementScore>;
  readonly now?: Date;
}

export function aRequest(
  spec: OcmPlacementSpec,
  clusters: readonly ManagedCluster[],
  { chosen = [], elsewhere = {}, scores = {}, now: time = now }: RequestParts = {},
): PlacementRequest {
  return {
    spec,
    clusters,
    chosen: new Set(chosen),
    elsewhere: {
      countOf: (cluster) => elsewhere[cluster] ?? 0,
      largest: () => Math.max(0, ...Object.values(elsewhere)),
    },
    scoreOf: (cluster, name) => scores[`${cluster}/${name}`],
    now: time,
  };
}

/** Repeats the request until it is done. */
export function outcomeOf(request: PlacementRequest, scheduler = new PlacementScheduler()): PlacementOutcome {
  for (;;) {
    const outcome = scheduler.schedule(request);
    if (outcome !== undefined) return outcome;
  }
}

export function schedule(
  spec: OcmPlacementSpec,
  clusters: readonly ManagedCluster[],
  parts: RequestParts = {},
): PlacementOutcome {
  return outcomeOf(aRequest(spec, clusters, parts));
}

/** `paris:200 oslo:100`, by rank. */
export function selectedIn({ selected }: PlacementOutcome): string {
  return selected.map(({ row, score }) => `${row.name}:${score}`).join(' ');
}

/** By rank, without scores. */
export function namesIn({ selected }: PlacementOutcome): string {
  return selected.map(({ row }) => row.name).join(' ');
}

/** The scores of one prioritizer: `paris:100 oslo:-100`, in the order of the clusters. */
export function scoresIn({ prioritizers }: PlacementOutcome, name: string): string {
  const result = prioritizers.find((one) => one.name === name);
  return [...(result?.scores ?? [])].map(([cluster, score]) => `${cluster}:${score}`).join(' ');
}

/** `a[x y] -[z]`: names of groups with their clusters; `|` between PlacementDecisions. */
export function groupsIn(spec: OcmPlacementSpec, outcome: PlacementOutcome): string {
  const { groups, problem } = groupClusters(spec, outcome.selected);
  const texts = groups.map(({ name, decisions }) => {
    const objects = decisions.map((list) => list.map(({ clusterName }) => clusterName).join(' '));
    return `${name || '-'}[${objects.join('|')}]`;
  });
  return [...texts, ...(problem === undefined ? [] : [`problem: ${problem}`])].join(' ');
}
