/** `managedCluster.scores("name")`: the scores of an AddOnPlacementScore in the cluster's namespace. */
import type { AddOnPlacementScore } from '@flotilla/api';
import { ArrayList, CelError, CelMap, celOf, types, type CelValue, type Library } from '@flotilla/cel';

/** The AddOnPlacementScore of a cluster; undefined if there is none. */
export type ScoreLookup = (cluster: string, name: string) => Readonly<AddOnPlacementScore> | undefined;

const listCost = 10;
const itemCost = 31;

export function managedClusterLibrary(scoreOf: ScoreLookup): Library {
  const find = (cluster: CelValue, name: CelValue) => scoreOf(clusterName(cluster), name as string);
  return {
    name: 'open-cluster-management.managedcluster',
    functions: [
      {
        name: 'scores',
        overloads: [
          {
            id: 'cluster_scores',
            isMember: true,
            parameters: [types.dyn, types.string],
            result: types.list(types.dyn),
            cost: ([cluster, name]) =>
              listCost + itemCost * (find(cluster ?? null, name ?? null)?.status?.scores?.length ?? 0),
            call: (cluster, name) => {
              const found = find(cluster ?? null, name ?? null);
              if (found === undefined) {
                return new CelError(
                  `failed to get score: addonplacementscores.cluster.open-cluster-management.io "${name as string}" not found`,
                );
              }
              return new ArrayList((found.status?.scores ?? []).map((score) => celOf({ ...score })));
            },
          },
        ],
      },
    ],
  };
}

function clusterName(cluster: CelValue): string {
  const metadata = cluster instanceof CelMap ? cluster.get('metadata') : undefined;
  const name = metadata instanceof CelMap ? metadata.get('name') : undefined;
  return typeof name === 'string' ? name : '';
}
