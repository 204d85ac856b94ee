import type { Kind } from '@flotilla/kube';
import { s, type PrinterColumn, type ValidationRule } from '@flotilla/schema';
import { placementConditionType } from '../condition-types.ts';
import { defineVersions } from '../define-versions.ts';
import { placementCategories } from '../groups.ts';
import { age, conditionColumn, field, generation, wide } from '../parts/columns.ts';
import { placementPolicy } from './parts/placement-policy.ts';
import { placementStatus, placementStatusInV1 } from './parts/placement-status.ts';
import { rolloutStrategy } from './parts/rollout-strategy.ts';
import { resourceSelector } from './parts/selectors.ts';
import {
  clusterResourceEnvelopes,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
  resourceEnvelopes,
  resourcePlacements,
} from './placement.ts';

const specFields = {
  resourceSelectors: s.list(resourceSelector, 'Selects the resources to place: all that any selector matches.', {
    minItems: 1,
    maxItems: 100,
    rules: [
      {
        rule: 'self.all(x, !(has(x.name) && size(x.name) > 0 && has(x.labelSelector)))',
        message: 'name and labelSelector are mutually exclusive in a resource selector',
      },
    ],
  }),
  policy: s.optional(placementPolicy),
  strategy: s.optional(rolloutStrategy),
  revisionHistoryLimit: s.withDefault(
    s.integer('How many snapshots to keep, of the policy and of the resources.', {
      format: 'int32',
      minimum: 1,
      maximum: 1000,
    }),
    10,
  ),
  statusReportingScope: s.withDefault(
    s.oneOf(
      ['ClusterScopeOnly', 'NamespaceAccessible'],
      'NamespaceAccessible copies the status into the selected namespace, for users who may read nothing else.',
    ),
    'ClusterScopeOnly',
  ),
};

const policyIsImmutable: ValidationRule = {
  rule: '!(has(oldSelf.policy) && !has(self.policy))',
  message: 'policy cannot be removed once set',
};

const statusReporting: readonly ValidationRule[] = [
  {
    rule: "!(self.statusReportingScope == 'NamespaceAccessible' && size(self.resourceSelectors.filter(x, x.kind == 'Namespace')) != 1)",
    message:
      "when statusReportingScope is NamespaceAccessible, exactly one resourceSelector with kind 'Namespace' is required",
  },
  {
    rule: '!has(oldSelf.statusReportingScope) || self.statusReportingScope == oldSelf.statusReportingScope',
    message: 'statusReportingScope is immutable',
  },
];

const ofNamespace = `x.kind == 'Namespace' && x.group == "" && x.version == 'v1'`;
const withSelectors = `${ofNamespace} && has(x.selectionScope) && x.selectionScope == 'NamespaceWithResourceSelectors'`;
const withSelectorsByName = `${withSelectors} && has(x.name) && size(x.name) > 0 && !has(x.labelSelector)`;

const namespaceSelectors: readonly ValidationRule[] = [
  {
    rule: `${selectorsThat(withSelectors)} <= 1`,
    message: 'only one namespace selector with NamespaceWithResourceSelectors mode is allowed',
  },
  {
    rule: `${selectorsThat(withSelectors)} == 0 || (${selectorsThat(withSelectorsByName)} == 1)`,
    message: 'namespace selector with NamespaceWithResourceSelectors mode must select by name (not by label)',
  },
  {
    rule: `${selectorsThat(withSelectors)} == 0 || ${selectorsThat(ofNamespace)} == 1`,
    message:
      'when using NamespaceWithResourceSelectors mode, only one namespace selector is allowed (cannot mix with other namespace selectors)',
  },
];

/** In CEL, the number of selectors with this property. */
function selectorsThat(are: string): string {
  return `size(self.resourceSelectors.filter(x, ${are}))`;
}

const description = 'What to place, where, and how to roll out changes.';

export const placementSpec = s.object(description, specFields, { rules: [policyIsImmutable, ...namespaceSelectors] });

const clusterPlacementSpec = s.object(description, specFields, {
  rules: [policyIsImmutable, ...statusReporting, ...namespaceSelectors],
});

const declared = {
  categories: placementCategories,
  subresources: { status: {} },
  // In KubeFleet's v1 the spec lacks deleteStrategy and reportBackStrategy: a label set through v1 drops them.
  versions: { v1: { differs: placementStatusInV1('status') }, v1beta1: {} },
};

export const clusterResourcePlacementDefinition = defineVersions(clusterResourcePlacements, {
  ...declared,
  description: 'Places cluster-scoped resources and whole namespaces on clusters of the fleet.',
  shortNames: ['crp'],
  fields: { spec: clusterPlacementSpec, status: s.optional(placementStatus) },
  columns: columnsOf(clusterResourcePlacements),
});

export const resourcePlacementDefinition = defineVersions(resourcePlacements, {
  ...declared,
  description: 'Places resources of its own namespace on clusters of the fleet.',
  shortNames: ['rp'],
  fields: { spec: placementSpec, status: s.optional(placementStatus) },
  columns: columnsOf(resourcePlacements),
});

function columnsOf(kind: Kind): readonly PrinterColumn[] {
  const scheduled = placementConditionType(kind, 'scheduled');
  const synchronized = placementConditionType(kind, 'workSynchronized');
  const available = placementConditionType(kind, 'available');
  return [
    generation,
    wide(field('Type', '.spec.policy.placementType')),
    conditionColumn('Scheduled', scheduled),
    conditionColumn('Scheduled-Gen', scheduled, 'observedGeneration'),
    wide(conditionColumn('Work-Synchronized', synchronized)),
    wide(conditionColumn('Work-Synchronized-Gen', synchronized, 'observedGeneration')),
    conditionColumn('Available', available),
    conditionColumn('Available-Gen', available, 'observedGeneration'),
    age,
  ];
}

export const clusterResourcePlacementStatusDefinition = defineVersions(clusterResourcePlacementStatuses, {
  description:
    'The status of the ClusterResourcePlacement of the same name, for users who may only read the namespace that it places.',
  shortNames: ['crps'],
  categories: placementCategories,
  fields: { sourceStatus: placementStatus, lastUpdatedTime: s.dateTime('When the copy was made.') },
  columns: [
    field('Resource-Index', '.sourceStatus.observedResourceIndex'),
    field('Last-Updated', '.lastUpdatedTime'),
    age,
  ],
  versions: { v1: { differs: placementStatusInV1('sourceStatus') }, v1beta1: {} },
});

const envelopeData = s.map(s.anyFields('One object, whole.'), 'The wrapped objects, each under an arbitrary key.', {
  minProperties: 1,
  maxProperties: 50,
});

const envelopeParts = { categories: placementCategories, fields: { data: envelopeData }, versions: { v1beta1: {} } };

export const clusterResourceEnvelopeDefinition = defineVersions(clusterResourceEnvelopes, {
  ...envelopeParts,
  description: 'Wraps cluster-scoped objects, so that they take effect on clusters and not on the hub.',
});

export const resourceEnvelopeDefinition = defineVersions(resourceEnvelopes, {
  ...envelopeParts,
  description: 'Wraps objects of its own namespace, so that they take effect on clusters and not on the hub.',
});
