import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiVersionOf, type GroupVersionKind } from '@flotilla/kube';
import {
  families,
  type Placement,
  type PlacementFamily,
  type PlacementPolicy,
  type PlacementSpec,
} from '@flotilla/api';
import { refusedPlacement } from './refused-placement.ts';

const served = new Map([
  ['/v1/Namespace', { namespaced: false }],
  ['/v1/ConfigMap', { namespaced: true }],
  ['rbac.authorization.k8s.io/v1/ClusterRole', { namespaced: false }],
]);

const findKind = ({ group, version, kind }: GroupVersionKind) => served.get(`${group}/${version}/${kind}`);

const selects = { group: '', version: 'v1', selectionScope: 'NamespaceWithResources' } as const;

function specOf({ scope }: PlacementFamily, changes: Partial<PlacementSpec> = {}): PlacementSpec {
  const kind = scope === 'Cluster' ? 'Namespace' : 'ConfigMap';
  return {
    resourceSelectors: [{ ...selects, kind, name: 'web' }],
    revisionHistoryLimit: 10,
    statusReportingScope: 'ClusterScopeOnly',
    ...changes,
  };
}

function placement(family: PlacementFamily, changes: Partial<PlacementSpec> = {}, name = 'web'): Placement {
  const { kind } = family.placement;
  return { apiVersion: apiVersionOf(family.placement), kind, metadata: { name }, spec: specOf(family, changes) };
}

const pickN: PlacementPolicy = { placementType: 'PickN', numberOfClusters: 1 };

function requiring(name: string, ...expressions: (readonly [string, string])[]): PlacementPolicy {
  const matchExpressions = expressions.map(([operator, value]) => ({ name, operator, values: [value] }));
  const clusterSelectorTerms = [{ propertySelector: { matchExpressions } }];
  return {
    ...pickN,
    affinity: { clusterAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms } } },
  };
}

function preferring(preference: Record<string, unknown>, policy: PlacementPolicy = pickN): PlacementPolicy {
  const preferred = [{ weight: 1, preference }];
  return { ...policy, affinity: { clusterAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } };
}

/** What is changed in a valid placement, and a part of the refusal. */
const refused: readonly (readonly [string, Partial<PlacementSpec>, string])[] = [
  [
    'a label selector that cannot be parsed',
    {
      resourceSelectors: [
        { ...selects, kind: 'Namespace', labelSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      ],
    },
    'the labelSelector in resource selector &LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:a,Operator:Like,Values:[],},},} is invalid: "Like" is not a valid label selector operator',
  ],
  [
    'a kind that the hub does not serve',
    { resourceSelectors: [{ ...selects, group: 'sea.example', kind: 'Boat' }] },
    'failed to get GVR of the selector: no matches for kind "Boat" in version "sea.example/v1"',
  ],
  [
    'cluster names twice',
    { policy: { placementType: 'PickFixed', clusterNames: ['a', 'a'] } },
    'the placement policy field is invalid: cluster names must be unique for policy type PickFixed',
  ],
  [
    'a cluster name that no cluster can have',
    { policy: { placementType: 'PickFixed', clusterNames: ['A_b'] } },
    'PickFixed cluster name A_b is not a valid member name: ',
  ],
  [
    'preferences with PickAll',
    { policy: preferring({}, { placementType: 'PickAll' }) },
    'PreferredDuringSchedulingIgnoredDuringExecution will be ignored for placement policy type PickAll',
  ],
  [
    'a sorter among the requirements',
    {
      policy: {
        ...pickN,
        affinity: {
          clusterAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              clusterSelectorTerms: [{ propertySorter: { name: 'a', sortOrder: 'Ascending' } }],
            },
          },
        },
      },
    },
    'PropertySorter is not allowed for RequiredDuringSchedulingIgnoredDuringExecution affinity',
  ],
  [
    'a requirement among the preferences',
    { policy: preferring({ propertySelector: { matchExpressions: [] } }) },
    'PropertySelector is not allowed for PreferredDuringSchedulingIgnoredDuringExecution affinity',
  ],
  [
    'a resource property without a capacity type',
    { policy: requiring('resources.kubernetes-fleet.io/cpu', ['Gt', '1']) },
    'expected format is [PREFIX]/[CAPACITY_TYPE]-[RESOURCE_NAME]',
  ],
  [
    'an unknown capacity type',
    { policy: requiring('resources.kubernetes-fleet.io/free-cpu', ['Gt', '1']) },
    'supported values are [allocatable available total]',
  ],
  [
    'an unknown operator',
    { policy: requiring('cost', ['In', '1']) },
    'invalid requirement on property cost: unsupported operator In',
  ],
  [
    'a value that is no quantity',
    { policy: requiring('cost', ['Gt', 'x']) },
    'value "x" is not a valid resource.Quantity: ',
  ],
  ['two values for Eq', { policy: requiring('cost', ['Eq', '1'], ['Eq', '2']) }, 'conflicting Eq values 1 and 2'],
  [
    'Eq and Ne of one value',
    { policy: requiring('cost', ['Eq', '1'], ['Ne', '1']) },
    'conflicting Eq and Ne on same value 1',
  ],
  [
    'an empty interval',
    { policy: requiring('cost', ['Gt', '1'], ['Le', '1']) },
    'lower bound (1) and upper bound (1) exclude all values',
  ],
  [
    'Eq below the lower bound',
    { policy: requiring('cost', ['Ge', '2'], ['Eq', '1']) },
    'eq value 1 violates lower bound 2',
  ],
  [
    'Eq at a strict upper bound',
    { policy: requiring('cost', ['Lt', '1k'], ['Eq', '1000']) },
    'violates upper bound 1k',
  ],
  [
    'a toleration twice',
    { policy: { ...pickN, tolerations: [{ operator: 'Exists' }, { operator: 'Exists' }] } },
    'toleration {Key: Operator:Exists Value: Effect:} already exists, tolerations must be unique',
  ],
  [
    'a toleration key that is no name',
    { policy: { ...pickN, tolerations: [{ key: '-', operator: 'Exists' }] } },
    'invalid toleration key {Key:- Operator:Exists Value: Effect:}: ',
  ],
  [
    'a rolling update of an external rollout',
    { strategy: { type: 'External', rollingUpdate: { maxUnavailable: 1, maxSurge: 1, unavailablePeriodSeconds: 0 } } },
    'the rollout Strategy field  is invalid: rollingUpdateConifg is not valid for ExternalRollout strategy type',
  ],
  [
    'a rolling update that may update no cluster',
    {
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: 0, maxSurge: '0%', unavailablePeriodSeconds: 0 },
      },
    },
    'maxUnavailable and maxSurge cannot both be 0',
  ],
  [
    'options of server-side apply for another type',
    {
      strategy: {
        type: 'RollingUpdate',
        applyStrategy: {
          type: 'ReportDiff',
          comparisonOption: 'PartialComparison',
          whenToApply: 'Always',
          whenToTakeOver: 'Always',
          serverSideApplyConfig: {},
        },
      },
    },
    'serverSideApplyConfig is only valid for ServerSideApply strategy type',
  ],
];

for (const family of families) {
  const short = family.scope === 'Cluster' ? 'CRP' : 'RP';
  const check = (now: Placement, old?: Placement) => refusedPlacement({ family, now, old }, findKind);

  describe(`admission of a ${family.placement.kind}`, () => {
    test('accepts a valid one', () => {
      assert.equal(check(placement(family)), undefined);
      assert.equal(
        check(placement(family, { policy: requiring('cost', ['Ge', '1'], ['Lt', '2'], ['Ne', '1500m']) })),
        undefined,
      );
      assert.equal(check(placement(family, { policy: { placementType: 'PickFixed', clusterNames: [] } })), undefined);
    });

    for (const [what, changes, refusal] of refused) {
      test(`refuses ${what}`, () => {
        const message = check(placement(family, changes)) ?? '';
        assert.ok(message.startsWith(`deny create/update v1beta1 ${short} has invalid fields `), message);
        assert.ok(message.includes(refusal), message);
      });
    }

    test('refuses kinds of the other scope', () => {
      const other = families.find(({ scope }) => scope !== family.scope);
      const { resourceSelectors } = specOf(other ?? family);
      const [want, kind] = short === 'CRP' ? ['it is not a', 'ConfigMap'] : ['it is a', 'Namespace'];
      const refusal = `the resource is not found in schema (please retry) or ${want} cluster scoped resource: /v1, Kind=${kind}`;
      assert.equal(
        check(placement(family, { resourceSelectors })),
        `deny create/update v1beta1 ${short} has invalid fields ${refusal}`,
      );
    });

    test('names every problem, and each once', () => {
      const policy: PlacementPolicy = { placementType: 'PickFixed', clusterNames: ['a', 'a'], numberOfClusters: 1 };
      const message = check(placement(family, { policy }, 'w'.repeat(64))) ?? '';
      assert.equal(
        message,
        `deny create/update v1beta1 ${short} has invalid fields [the name field cannot have length exceeding 63, the placement policy field is invalid: [cluster names must be unique for policy type PickFixed, number of clusters must be nil for policy type PickFixed, only valid for PickN placement policy type]]`,
      );
    });

    test('keeps type and tolerations', () => {
      const tolerant = (...keys: string[]) => {
        const tolerations = keys.map((key) => ({ key, operator: 'Exists' as const }));
        return placement(family, { policy: { ...pickN, tolerations } });
      };
      assert.equal(check(placement(family, { policy: pickN }), placement(family)), 'placement type is immutable');
      assert.equal(check(tolerant('a', 'b'), tolerant('a')), undefined);
      assert.equal(
        check(tolerant('b'), tolerant('a')),
        'tolerations have been updated/deleted, only additions to tolerations are allowed',
      );
    });

    test('an invalid one can be mended and deleted, nothing else', () => {
      const invalid = placement(family, { policy: { placementType: 'PickFixed', clusterNames: ['a', 'a'] } });
      const mended = placement(family, { policy: { placementType: 'PickFixed', clusterNames: ['a'] } });
      const deleted = { ...invalid, metadata: { name: 'web', deletionTimestamp: '2026-01-01T00:00:00Z' } };
      assert.equal(check(mended, invalid), undefined);
      assert.equal(check(deleted, invalid), undefined);
      assert.match(
        check(invalid, invalid) ?? '',
        /^deny update on old invalid v1beta1 C?RP with DeletionTimestamp not set /,
      );
    });
  });
}

test('a selected namespace lets a cluster-scoped placement name objects in it', () => {
  const [family] = families;
  assert.ok(family);
  const resourceSelectors = [
    { ...selects, kind: 'Namespace', name: 'web', selectionScope: 'NamespaceWithResourceSelectors' as const },
    { ...selects, kind: 'ConfigMap', name: 'settings' },
  ];
  assert.equal(refusedPlacement({ family, now: placement(family, { resourceSelectors }) }, findKind), undefined);
});
