import type { JsonValue } from '@flotilla/kube';
import { testRules, type RuleCase } from '../../rules.testing.ts';
import { clusterResourcePlacementDisruptionBudgetDefinition } from './disruption-schema.ts';

const countOrShare =
  "If supplied value is String should match regex '^(100|[0-9]{1,2})%$' or If supplied value is Integer must be greater than or equal to 0";

function amount(field: string, refused: JsonValue, accepted: JsonValue): RuleCase {
  return {
    title: `${field} may be ${JSON.stringify(accepted)} and not ${JSON.stringify(refused)}`,
    refused: { create: { spec: { [field]: refused } } },
    says: `spec.${field}: Invalid value: ${JSON.stringify(refused)}: ${countOrShare}`,
    accepted: { create: { spec: { [field]: accepted } } },
  };
}

testRules(
  clusterResourcePlacementDisruptionBudgetDefinition,
  ['v1alpha1', 'v1beta1'],
  [
    {
      title: 'has maxUnavailable or minAvailable, not both',
      refused: { create: { spec: { maxUnavailable: 1, minAvailable: 1 } } },
      says: 'spec: Invalid value: Both MaxUnavailable and MinAvailable cannot be specified',
      accepted: { create: { spec: {} } },
    },
    ...['maxUnavailable', 'minAvailable'].flatMap((field) => [
      amount(field, -1, 0),
      amount(field, '101%', '100%'),
      amount(field, '5', 5),
      amount(field, '', '0%'),
    ]),
  ],
);
