/** What the debug endpoint says about a Placement: OCM's fields, and what keeps clusters out, which OCM does not say. */
import type { OcmPlacement } from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import type { PlacementOutcome, Verdict } from '@flotilla/ocm';

type Rejection = Extract<Verdict, { outcome: 'Rejected' }>;

export interface DebugReport {
  readonly placement: JsonObject;
  readonly filteredPipelineResults?: readonly { readonly name: string; readonly filteredClusters: readonly string[] }[];
  readonly prioritizeResults?: readonly {
    readonly name: string;
    readonly weight: number;
    readonly scores: Readonly<Record<string, number>>;
  }[];
  readonly aggregatedScores?: readonly { readonly clusterName: string; readonly score: number }[];
  readonly rejectedClusters?: readonly (Omit<Rejection, 'outcome'> & { readonly clusterName: string })[];
}

export function debugReport(
  { metadata, spec }: Readonly<OcmPlacement>,
  { filters, prioritizers, ranked, verdictOf }: PlacementOutcome,
  clusters: readonly string[],
): DebugReport {
  const { name = '', namespace = '', labels, annotations } = metadata;
  const rejected = clusters.flatMap((clusterName) => {
    const verdict = verdictOf(clusterName);
    if (verdict?.outcome !== 'Rejected') return [];
    const { plugin, evidence } = verdict;
    return [{ clusterName, plugin, evidence }];
  });
  return {
    placement: { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }), spec },
    ...some(
      'filteredPipelineResults',
      filters.map(({ name: filter, rows }) => ({ name: filter, filteredClusters: rows.map((row) => row.name) })),
    ),
    ...some(
      'prioritizeResults',
      prioritizers.map(({ name: prioritizer, weight, scores }) => ({
        name: prioritizer,
        weight,
        scores: Object.fromEntries(scores),
      })),
    ),
    ...some(
      'aggregatedScores',
      ranked.map(({ row, score }) => ({ clusterName: row.name, score })),
    ),
    ...some('rejectedClusters', rejected),
  };
}

/** OCM leaves out lists that are empty. */
function some<K extends string, T>(key: K, list: readonly T[]): { [P in K]?: readonly T[] } {
  return list.length === 0 ? {} : ({ [key]: list } as { [P in K]: readonly T[] });
}
