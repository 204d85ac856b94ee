import { s } from '@flotilla/schema';
import { age, conditionColumn } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { labelSelector } from '../placement/parts/selectors.ts';
import { managedClusterSetBindings, managedClusterSets } from './cluster-set.ts';
import { defineOcmKind } from './define-ocm-kind.ts';
import { namespaceName } from './parts.ts';

export const clusterSetSelector = s.object('Which clusters belong to the set.', {
  selectorType: s.requiredWithDefault(
    s.oneOf(
      ['ExclusiveClusterSetLabel', 'LabelSelector'],
      'ExclusiveClusterSetLabel: clusters whose label cluster.open-cluster-management.io/clusterset names the set. LabelSelector: clusters that labelSelector matches.',
    ),
    'ExclusiveClusterSetLabel',
  ),
  labelSelector: s.optional(
    labelSelector('Labels of the clusters, for LabelSelector. Without it, no cluster; an empty one, all clusters.'),
  ),
});

const managedNamespace = s.object('A namespace for the clusters of the set.', {
  name: s.string('Name of the namespace.', namespaceName),
});

export const clusterSetSpec = s.object('Desired state of the set.', {
  clusterSelector: s.withDefault(clusterSetSelector, { selectorType: 'ExclusiveClusterSetLabel' }),
  managedNamespaces: s.optional(
    s.listByKey('name', managedNamespace, 'Namespaces that the agents of OCM create on the clusters of the set.'),
  ),
});

export const clusterSetStatus = s.object('Observed state of the set.', {
  conditions: s.optional(s.list(condition, 'Whether the set has clusters.')),
});

export const managedClusterSetDefinition = defineOcmKind(managedClusterSets, {
  description: 'A group of ManagedClusters, which namespaces may be bound to.',
  shortNames: ['mclset', 'mclsets'],
  fields: {
    spec: s.withDefault(clusterSetSpec, { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } }),
    status: s.optional(clusterSetStatus),
  },
  subresources: { status: {} },
  columns: [conditionColumn('Empty', 'ClusterSetEmpty'), age],
});

export const clusterSetBindingSpec = s.object('Desired state of the binding.', {
  clusterSet: s.optional(
    s.string('Name of the ManagedClusterSet, which is also the name of the binding.', { minLength: 1 }),
  ),
});

export const clusterSetBindingStatus = s.object('Observed state of the binding.', {
  conditions: s.optional(s.list(condition, 'Whether the set exists.')),
});

export const managedClusterSetBindingDefinition = defineOcmKind(managedClusterSetBindings, {
  description: 'Lets the Placements of its namespace select clusters of a ManagedClusterSet.',
  shortNames: ['mclsetbinding', 'mclsetbindings'],
  fields: { spec: s.optional(clusterSetBindingSpec), status: s.optional(clusterSetBindingStatus) },
  subresources: { status: {} },
});
