import { s, type Infer, type ValidationRule } from '@flotilla/schema';
import { clusterSelector, clusterSelectorTerm } from './selectors.ts';

const preferredTerm = s.object('Clusters that are preferred or avoided.', {
  preference: clusterSelectorTerm,
  weight: s.integer('Added to the score of a matching cluster; may be negative.', {
    format: 'int32',
    minimum: -100,
    maximum: 100,
  }),
});

const clusterAffinity = s.object('Required and preferred clusters.', {
  preferredDuringSchedulingIgnoredDuringExecution: s.optional(
    s.list(preferredTerm, 'Preferences: they rank the clusters of a PickN placement.'),
  ),
  requiredDuringSchedulingIgnoredDuringExecution: s.optional(
    clusterSelector('Requirements: other clusters are not considered.'),
  ),
});

const affinity = s.object('Rules for selecting clusters.', { clusterAffinity: s.optional(clusterAffinity) });

const topologySpreadConstraint = s.object('Spreads the selected clusters over topology domains.', {
  maxSkew: s.withDefault(
    s.integer('How many more clusters one domain may have than another.', { format: 'int32', minimum: 1 }),
    1,
  ),
  topologyKey: s.string('Label of MemberClusters whose values are the domains, such as region.'),
  whenUnsatisfiable: s.withDefault(
    s.oneOf(
      ['DoNotSchedule', 'ScheduleAnyway'],
      'Whether a cluster that would violate the constraint is refused, or only ranked lower.',
    ),
    'DoNotSchedule',
  ),
});

const toleration = s.object('Allows clusters with a matching taint.', {
  effect: s.optional(s.oneOf(['NoSchedule'], 'Effect of the taint; every effect when absent.')),
  key: s.optional(s.string('Key of the taint; if absent, every taint, and the operator is Exists.')),
  operator: s.withDefault(s.oneOf(['Equal', 'Exists'], "Equal compares the taint's value, Exists takes any."), 'Equal'),
  value: s.optional(s.string('Value of the taint, for Equal.')),
});

const tolerationRules: readonly ValidationRule[] = [
  {
    rule: "self.all(x, x.operator != 'Exists' || !has(x.value) || size(x.value) == 0)",
    message: 'value must be empty when operator is Exists',
  },
  {
    rule: "self.all(x, (has(x.key) && size(x.key) > 0) || x.operator == 'Exists')",
    message: 'operator must be Exists when key is empty',
  },
];

const policyFields = {
  affinity: s.optional(affinity),
  clusterNames: s.optional(s.list(s.string('Name of a cluster.'), 'The clusters of PickFixed.', { maxItems: 100 })),
  numberOfClusters: s.optional(s.integer('How many clusters PickN selects.', { format: 'int32', minimum: 0 })),
  placementType: s.withDefault(
    s.oneOf(
      ['PickAll', 'PickN', 'PickFixed'],
      'PickAll selects every cluster that meets the requirements, PickN the best ones, PickFixed those that are named.',
    ),
    'PickAll',
  ),
  tolerations: s.optional(
    s.list(toleration, 'Taints that the placement tolerates.', { maxItems: 100, rules: tolerationRules }),
  ),
  topologySpreadConstraints: s.optional(
    s.list(topologySpreadConstraint, 'How PickN spreads its clusters; every constraint applies.'),
  ),
};

export const placementPolicy = s.object('Which clusters to select; every cluster if absent.', policyFields, {
  rules: [
    { rule: '!(self.placementType != oldSelf.placementType)', message: 'placement type is immutable' },
    {
      rule: "self.placementType != 'PickFixed' || (!has(self.affinity) && !has(self.numberOfClusters) && !has(self.topologySpreadConstraints) && !has(self.tolerations))",
      message:
        'affinity, numberOfClusters, topologySpreadConstraints, and tolerations cannot be set when placementType is PickFixed',
    },
    {
      rule: "self.placementType != 'PickAll' || (!has(self.clusterNames) && !has(self.numberOfClusters) && !has(self.topologySpreadConstraints))",
      message:
        'clusterNames, numberOfClusters, and topologySpreadConstraints cannot be set when placementType is PickAll',
    },
    {
      rule: "self.placementType != 'PickN' || (!has(self.clusterNames) && has(self.numberOfClusters))",
      message: 'clusterNames cannot be set and numberOfClusters must be set when placementType is PickN',
    },
  ],
});

/** A copy of a policy, without rules: they were checked when the policy was written. */
export const recordedPolicy = s.object('The policy at the time of the snapshot.', policyFields);

export type PlacementPolicy = Infer<typeof placementPolicy>;
export type PlacementType = PlacementPolicy['placementType'];
export type PreferredTerm = Infer<typeof preferredTerm>;
export type TopologySpreadConstraint = Infer<typeof topologySpreadConstraint>;
export type Toleration = Infer<typeof toleration>;

const clusterScore = s.object('The score of the cluster.', {
  affinityScore: s.optional(s.integer('Score of the preferences.', { format: 'int32' })),
  priorityScore: s.optional(s.integer('Score of the topology spread constraints.', { format: 'int32' })),
});

export const clusterDecision = s.object('The decision of the scheduler about a cluster.', {
  clusterName: s.string('The cluster.'),
  clusterScore: s.optional(clusterScore),
  reason: s.string('Why it was selected, or why not.'),
  selected: s.boolean('Whether it was selected.'),
});

export type ClusterDecision = Infer<typeof clusterDecision>;
