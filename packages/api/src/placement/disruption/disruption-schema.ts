import { s, type ValidationRule } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../groups.ts';
import { conditionColumn } from '../../parts/columns.ts';
import { condition } from '../../parts/condition.ts';
import { clusterResourcePlacementDisruptionBudgets, clusterResourcePlacementEvictions } from './disruption.ts';

const numberOrPercent = {
  rules: [
    {
      rule: "type(self) == string ? self.matches('^(100|[0-9]{1,2})%$') : self >= 0",
      message:
        "If supplied value is String should match regex '^(100|[0-9]{1,2})%$' or If supplied value is Integer must be greater than or equal to 0",
    },
  ],
};

export const disruptionBudgetSpec = s.object(
  'Limits of evictions. If neither is set, no eviction is allowed.',
  {
    maxUnavailable: s.optional(
      s.intOrString('How many clusters may lack the resources: a number or a percentage.', numberOrPercent),
    ),
    minAvailable: s.optional(
      s.intOrString('How many clusters must have the resources: a number or a percentage.', numberOrPercent),
    ),
  },
  {
    rules: [
      {
        rule: '!(has(self.maxUnavailable) && has(self.minAvailable))',
        message: 'Both MaxUnavailable and MinAvailable cannot be specified',
      },
    ],
  },
);

export const clusterResourcePlacementDisruptionBudgetDefinition = defineVersions(
  clusterResourcePlacementDisruptionBudgets,
  {
    description: 'Limits how many clusters evictions may take from the ClusterResourcePlacement of the same name.',
    shortNames: ['crpdb'],
    categories: placementCategories,
    fields: { spec: disruptionBudgetSpec },
    versions: { v1alpha1: {}, v1beta1: {} },
  },
);

export const evictionSpec = s.object('The placement and the cluster.', {
  placementName: s.string('The ClusterResourcePlacement.', { maxLength: 255, rules: [isImmutable('PlacementName')] }),
  clusterName: s.string('The cluster.', { maxLength: 255, rules: [isImmutable('ClusterName')] }),
});

function isImmutable(name: string): ValidationRule {
  return { rule: 'self == oldSelf', message: `The ${name} field is immutable` };
}

export const evictionStatus = s.object('The result of the eviction.', {
  conditions: s.optional(s.list(condition, 'Whether the eviction is valid, and whether it was executed.')),
});

export const clusterResourcePlacementEvictionDefinition = defineVersions(clusterResourcePlacementEvictions, {
  description: 'Removes a ClusterResourcePlacement from a cluster once, if its disruption budget allows it.',
  shortNames: ['crpe'],
  categories: placementCategories,
  fields: { spec: evictionSpec, status: s.optional(evictionStatus) },
  subresources: { status: {} },
  columns: [conditionColumn('Valid', 'Valid'), conditionColumn('Executed', 'Executed')],
  versions: { v1alpha1: { columns: [] }, v1beta1: {} },
});
