import { s } from '@flotilla/schema';
import { conditionColumn } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { labelSelector } from '../placement/parts/selectors.ts';
import { addOnPlacementScores, ocmPlacements, placementDecisions } from './ocm-placement.ts';
import { defineOcmKind } from './define-ocm-kind.ts';
import { claimSelector, qualifiedName, taintEffects } from './parts.ts';

const clusterLabels = labelSelector('Requirements for the labels of the ManagedCluster.');

const celSelector = s.object('Requirements for the cluster in CEL.', {
  celExpressions: s.optional(
    s.list(s.string('An expression over `managedCluster`.'), 'Expressions; all must be true.'),
  ),
});

export const predicate = s.object('Matches clusters that meet all requirements.', {
  requiredClusterSelector: s.optional(
    s.object('The requirements.', {
      labelSelector: s.optional(clusterLabels),
      claimSelector: s.optional(claimSelector),
      celSelector: s.optional(celSelector),
    }),
  ),
});

export const scoreCoordinate = s.object('Where the score of a cluster comes from.', {
  type: s.requiredWithDefault(
    s.oneOf(['BuiltIn', 'AddOn'], 'BuiltIn: a prioritizer of the scheduler. AddOn: an AddOnPlacementScore.'),
    'BuiltIn',
  ),
  builtIn: s.optional(s.string('Balance, Steady, ResourceAllocatableCPU or ResourceAllocatableMemory.')),
  addOn: s.optional(
    s.object('A score in an AddOnPlacementScore.', {
      resourceName: s.string("Name of the AddOnPlacementScore in the cluster's namespace."),
      scoreName: s.string('Name of the score in it.'),
    }),
  ),
});

export const prioritizerConfiguration = s.object('A prioritizer and its weight.', {
  scoreCoordinate,
  weight: s.withDefault(
    s.integer('Factor of its scores; a negative one prefers low scores.', {
      format: 'int32',
      minimum: -10,
      maximum: 10,
    }),
    1,
  ),
});

export const prioritizerPolicy = s.object('How clusters are ranked.', {
  mode: s.withDefault(
    s.string('Additive: default prioritizers count too. Exact: only those in configurations.'),
    'Additive',
  ),
  configurations: s.optional(s.list(prioritizerConfiguration, 'Prioritizers and their weights.')),
});

export const spreadConstraint = s.object('Spreads the selected clusters over a topology.', {
  maxSkew: s.withDefault(
    s.integer('By how many clusters two topology values may differ.', { format: 'int32', minimum: 1 }),
    1,
  ),
  topologyKey: s.string('Name of the label or claim.', {
    maxLength: 316,
    pattern:
      '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
  }),
  topologyKeyType: s.oneOf(['Label', 'Claim'], 'Whether topologyKey is a label or a claim.'),
  whenUnsatisfiable: s.withDefault(
    s.oneOf(
      ['DoNotSchedule', 'ScheduleAnyway'],
      'DoNotSchedule selects fewer clusters, ScheduleAnyway accepts a larger skew.',
    ),
    'ScheduleAnyway',
  ),
});

export const ocmToleration = s.object('Tolerates matching taints.', {
  key: s.optional(s.string('Key of the taint; absent with Exists: any.', qualifiedName)),
  operator: s.withDefault(s.string('Exists or Equal.'), 'Equal'),
  value: s.optional(s.string('Value of the taint, for Equal.', { maxLength: 1024 })),
  effect: s.optional(s.oneOf(taintEffects, 'Effect of the taint; absent: any.')),
  tolerationSeconds: s.optional(
    s.integer('How long the taint is tolerated from when it was added; absent: always.', { format: 'int64' }),
  ),
});

export const decisionGroup = s.object('A group of decisions.', {
  groupName: s.string('Name of the group.', { pattern: '^[a-zA-Z0-9][-A-Za-z0-9_.]{0,61}[a-zA-Z0-9]$' }),
  groupClusterSelector: s.object('Which selected clusters belong to the group.', {
    labelSelector: s.optional(clusterLabels),
    claimSelector: s.optional(claimSelector),
  }),
});

export const decisionStrategy = s.object('How selected clusters are divided.', {
  groupStrategy: s.optional(
    s.object('How selected clusters are divided into groups.', {
      clustersPerDecisionGroup: s.withDefault(
        s.intOrString('Size of a group: a number, or a percentage of the selected clusters.', {
          pattern: '^((100|[1-9][0-9]{0,1})%|[1-9][0-9]*)$',
        }),
        '100%',
      ),
      decisionGroups: s.optional(
        s.list(decisionGroup, 'Groups with a name. A cluster belongs to the first that matches it.'),
      ),
    }),
  ),
});

/** OCM before v1.3 lacks sortBy and scoreRateLimit, so that their defaults may be missing on another server. */
export const ocmPlacementSpec = s.object('Which clusters to select.', {
  clusterSets: s.optional(
    s.list(s.string('Name of a ManagedClusterSet.'), 'Sets to select from; without any, all sets that are bound.'),
  ),
  numberOfClusters: s.optional(s.integer('How many clusters to select; absent: all.', { format: 'int32' })),
  predicates: s.optional(s.list(predicate, 'Selects a cluster if any of them matches it; without any, all clusters.')),
  prioritizerPolicy: s.optional(prioritizerPolicy),
  spreadPolicy: s.optional(
    s.object('How the selected clusters are spread.', {
      spreadConstraints: s.optional(
        s.list(spreadConstraint, 'Constraints, the most important first.', { maxItems: 8 }),
      ),
    }),
  ),
  tolerations: s.optional(s.list(ocmToleration, 'Taints that do not repel this Placement.')),
  decisionStrategy: s.optional(decisionStrategy),
  sortBy: s.optional(
    s.withDefault(
      s.oneOf(['ClusterName', 'Score'], 'Order of the decisions: by name, or the best score first.'),
      'ClusterName',
    ),
  ),
  scoreRateLimit: s.optional(
    s.withDefault(
      s.string('How often decisions are written if only scores change: 30s, 1m, 2h.', { pattern: '^[0-9]+[hms]$' }),
      '1m',
    ),
  ),
});

export const decisionGroupStatus = s.object('A group of decisions.', {
  decisionGroupIndex: s.optional(s.integer('Position of the group, from 0.', { format: 'int32' })),
  decisionGroupName: s.optional(s.string('Name of the group; empty for the remaining clusters.')),
  decisions: s.optional(s.list(s.string('Name of a PlacementDecision.'), 'The PlacementDecisions of the group.')),
  clusterCount: s.withDefault(s.integer('Number of its clusters.', { format: 'int32' }), 0),
});

export const ocmPlacementStatus = s.object('What was selected.', {
  numberOfSelectedClusters: s.optional(s.integer('Number of selected clusters.', { format: 'int32' })),
  decisionGroups: s.optional(s.list(decisionGroupStatus, 'The groups of decisions.')),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the Placement is valid, and satisfied.')),
  lastScoreUpdateTime: s.optional(s.dateTime('When scores were last written.')),
});

export const ocmPlacementDefinition = defineOcmKind(ocmPlacements, {
  description: 'Selects ManagedClusters of the sets that its namespace is bound to.',
  fields: { spec: ocmPlacementSpec, status: s.optional(ocmPlacementStatus) },
  subresources: { status: {} },
  columns: [
    conditionColumn('Succeeded', 'PlacementSatisfied'),
    conditionColumn('Reason', 'PlacementSatisfied', 'reason'),
    { name: 'SelectedClusters', type: 'integer', jsonPath: '.status.numberOfSelectedClusters' },
  ],
});

export const selectedCluster = s.object('A selected cluster.', {
  clusterName: s.string('Name of the ManagedCluster.'),
  reason: s.string('Why it was selected; empty today.'),
  score: s.optional(s.integer('Its score.', { format: 'int64' })),
});

export const placementDecisionStatus = s.object('The decisions.', {
  decisions: s.list(selectedCluster, 'Selected clusters, at most 100.'),
});

export const placementDecisionDefinition = defineOcmKind(placementDecisions, {
  description: 'Up to 100 of the clusters that a Placement has selected.',
  fields: { status: s.optional(placementDecisionStatus) },
  subresources: { status: {} },
});

const addOnScore = s.object('One score of the cluster.', {
  name: s.string('Name of the score.'),
  value: s.integer('Value of the score.', { format: 'int32', minimum: -100, maximum: 100 }),
});

export const addOnPlacementScoreStatus = s.object('The scores.', {
  conditions: s.optional(s.listByKey('type', condition, 'Whether the add-on could compute the scores.')),
  scores: s.optional(s.listByKey('name', addOnScore, 'Scores of the cluster.')),
  validUntil: s.optional(s.dateTime('Until when the scores count; absent: always.')),
});

export const addOnPlacementScoreDefinition = defineOcmKind(addOnPlacementScores, {
  description: "Scores of one cluster by an add-on, in the cluster's namespace.",
  fields: { status: s.optional(addOnPlacementScoreStatus) },
  subresources: { status: {} },
});
