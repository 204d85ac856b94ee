import { s } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { placementCategories } from '../../parts/placement-categories.ts';
import { clusterResourcePlacementDisruptionBudgets } from './disruption-budget.ts';

const countOrShare = {
  rules: [
    {
      rule: "type(self) == string ? self.matches('^(100|[0-9]{1,2})%$') : self >= 0",
      message:
        "If supplied value is String should match regex '^(100|[0-9]{1,2})%$' or If supplied value is Integer must be greater than or equal to 0",
    },
  ],
};

export const disruptionBudgetSpec = s.object(
  'How much evictions may take: nothing at all when neither is given.',
  {
    maxUnavailable: s.optional(
      s.intOrString('How many clusters may be without the resources: a count, or a share.', countOrShare),
    ),
    minAvailable: s.optional(
      s.intOrString('How many clusters must have the resources: a count, or a share.', countOrShare),
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
