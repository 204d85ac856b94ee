import { s, type ValidationRule } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { conditionColumn } from '../../parts/columns.ts';
import { condition } from '../../parts/condition.ts';
import { placementCategories } from '../../parts/placement-categories.ts';
import { clusterResourcePlacementEvictions } from './eviction.ts';

export const evictionSpec = s.object('What leaves which cluster.', {
  placementName: s.string('The ClusterResourcePlacement.', { maxLength: 255, rules: [staysAsItIs('PlacementName')] }),
  clusterName: s.string('The cluster.', { maxLength: 255, rules: [staysAsItIs('ClusterName')] }),
});

function staysAsItIs(name: string): ValidationRule {
  return { rule: 'self == oldSelf', message: `The ${name} field is immutable` };
}

export const evictionStatus = s.object('What became of the request.', {
  conditions: s.optional(s.list(condition, 'Whether the request made sense, and whether it was carried out.')),
});

export const clusterResourcePlacementEvictionDefinition = defineVersions(clusterResourcePlacementEvictions, {
  description: 'Asks, once, to take a ClusterResourcePlacement off a cluster, as far as its disruption budget allows.',
  shortNames: ['crpe'],
  categories: placementCategories,
  fields: { spec: evictionSpec, status: s.optional(evictionStatus) },
  subresources: { status: {} },
  columns: [conditionColumn('Valid', 'Valid'), conditionColumn('Executed', 'Executed')],
  versions: { v1alpha1: { columns: [] }, v1beta1: {} },
});
