import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import { schedule, scored, shortName } from './scheduling.testing.ts';

const region = { topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const;
const env = { topologyKey: 'env', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const;
const prefer = (weight: number, labels: Record<string, string>) => ({
  weight,
  preference: { labelSelector: { matchLabels: labels } },
});
const sortBy = (
  weight: number,
  name: string,
  sortOrder: 'Ascending' | 'Descending',
  labels?: Record<string, string>,
) => ({
  weight,
  preference: {
    ...(labels && { labelSelector: { matchLabels: labels } }),
    propertySorter: { name, sortOrder },
  },
});

interface Expected {
  readonly title: string;
  readonly n: number;
  readonly policy?: Omit<PlacementPolicy, 'placementType'>;
  /** `cluster(affinity,spread)`, in any order. */
  readonly picked: string;
  readonly outscored: string;
  readonly rejected: string;
}

/** What KubeFleet's test/scheduler asserts, scores included. */
const table: readonly Expected[] = [
  {
    title: 'ties go to the largest names',
    n: 3,
    picked: '7(0,0) 6(0,0) 5(0,0)',
    outscored: '4(0,0) 3(0,0) 2(0,0) 1(0,0)',
    rejected: '9 8',
  },
  {
    title: 'too few clusters are picked all the same',
    n: 10,
    picked: '7(0,0) 6(0,0) 5(0,0) 4(0,0) 3(0,0) 2(0,0) 1(0,0)',
    outscored: '',
    rejected: '9 8',
  },
  { title: 'zero clusters need no verdict', n: 0, picked: '', outscored: '', rejected: '' },
  {
    title: 'preferred affinity adds its weight',
    n: 4,
    policy: {
      affinity: {
        clusterAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [prefer(10, { region: 'central' })] },
      },
    },
    picked: '5(10,0) 4(10,0) 7(0,0) 6(0,0)',
    outscored: '3(0,0) 2(0,0) 1(0,0)',
    rejected: '9 8',
  },
  {
    title: 'a required constraint refuses the domain that has more',
    n: 2,
    policy: { topologySpreadConstraints: [region] },
    picked: '7(0,-1) 5(0,0)',
    outscored: '4(0,0) 3(0,0) 2(0,0) 1(0,0)',
    rejected: '6 9 8',
  },
  {
    title: 'a preferred constraint ranks it lower',
    n: 2,
    policy: { topologySpreadConstraints: [{ ...region, whenUnsatisfiable: 'ScheduleAnyway' }] },
    picked: '7(0,-1) 5(0,0)',
    outscored: '4(0,0) 3(0,0) 2(0,0) 1(0,0) 6(0,-1000)',
    rejected: '9 8',
  },
  {
    title: 'clusters that the affinity excludes still form domains',
    n: 2,
    policy: {
      affinity: {
        clusterAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            clusterSelectorTerms: [
              { labelSelector: { matchExpressions: [{ key: 'region', operator: 'NotIn', values: ['west'] }] } },
            ],
          },
        },
      },
      topologySpreadConstraints: [region],
    },
    picked: '5(0,-1) 3(0,0)',
    outscored: '2(0,0) 1(0,0)',
    rejected: '4 6 7 9 8',
  },
  {
    title: 'preferences and constraints add up, the spread counts first',
    n: 6,
    policy: {
      affinity: {
        clusterAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [prefer(30, { region: 'east' })] },
      },
      topologySpreadConstraints: [{ ...env, whenUnsatisfiable: 'ScheduleAnyway' }],
    },
    picked: '3(30,-1) 2(30,1) 1(30,-1) 7(0,1) 6(0,-1) 5(0,-1000)',
    outscored: '4(0,-1000)',
    rejected: '9 8',
  },
  {
    title: 'several constraints add up',
    n: 3,
    policy: {
      affinity: {
        clusterAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [prefer(40, { region: 'east' })],
          requiredDuringSchedulingIgnoredDuringExecution: {
            clusterSelectorTerms: [{ labelSelector: { matchLabels: { env: 'prod' } } }],
          },
        },
      },
      topologySpreadConstraints: [{ ...env, maxSkew: 2, whenUnsatisfiable: 'ScheduleAnyway' }, region],
    },
    picked: '2(40,-2) 6(0,-1) 5(0,-999)',
    outscored: '4(0,-999)',
    rejected: '1 3 7 9 8',
  },
  {
    title: 'a sorter ranks by a property, over all clusters, also unhealthy ones',
    n: 3,
    policy: {
      affinity: {
        clusterAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [sortBy(100, 'kubernetes-fleet.io/node-count', 'Ascending')],
        },
      },
    },
    picked: '6(86,0) 4(86,0) 1(86,0)',
    outscored: '2(57,0) 3(29,0) 7(0,0) 5(0,0)',
    rejected: '9 8',
  },
  {
    title: 'sorters add up',
    n: 3,
    policy: {
      affinity: {
        clusterAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            sortBy(100, 'kubernetes-fleet.io/node-count', 'Ascending'),
            sortBy(80, 'energy-efficiency', 'Descending'),
            sortBy(60, 'resources.kubernetes-fleet.io/allocatable-memory', 'Descending'),
          ],
        },
      },
    },
    picked: '1(168,0) 4(146,0) 6(135,0)',
    outscored: '2(108,0) 3(68,0) 7(60,0) 5(46,0)',
    rejected: '9 8',
  },
  {
    title: 'a sorter with labels counts for clusters with these labels',
    n: 4,
    policy: {
      affinity: {
        clusterAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            sortBy(100, 'resources.kubernetes-fleet.io/available-cpu', 'Descending', { env: 'canary' }),
            sortBy(100, 'energy-efficiency', 'Descending', { region: 'east' }),
          ],
        },
      },
    },
    picked: '3(100,0) 1(100,0) 7(50,0) 2(50,0)',
    outscored: '6(0,0) 5(0,0) 4(0,0)',
    rejected: '9 8',
  },
];

describe('PickN', () => {
  for (const { title, n, policy = {}, picked, outscored, rejected } of table) {
    test(title, () => {
      const outcome = schedule({ policy: { ...policy, placementType: 'PickN' }, numberOfClusters: n });
      const { decisions, condition } = outcome;
      const unselected = decisions.filter(({ selected }) => !selected);
      assert.deepEqual(
        decisions
          .filter(({ selected }) => selected)
          .map(scored)
          .join(' '),
        picked,
      );
      assert.deepEqual(
        unselected
          .filter(({ clusterScore }) => clusterScore)
          .map(scored)
          .join(' '),
        outscored,
      );
      assert.deepEqual(
        unselected
          .filter(({ clusterScore }) => !clusterScore)
          .map(({ clusterName }) => shortName(clusterName))
          .join(' '),
        rejected,
      );
      assert.equal(condition.status, picked.split(' ').filter((one) => one !== '').length === n ? 'True' : 'False');
    });
  }
});
