import { s } from '@flotilla/schema';
import { quantity } from '../cluster/member-cluster-schema.ts';
import { age, conditionColumn, field } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { clusterClaims, managedClusters } from './managed-cluster.ts';
import { defineOcmKind } from './define-ocm-kind.ts';
import { managedClusterTaint, namespaceName } from './parts.ts';

const clientConfig = s.object('One address of the cluster.', {
  url: s.string('Address of the API server.'),
  caBundle: s.optional(s.string('Trusted certificate authorities, in PEM.', { format: 'byte' })),
});

export const managedClusterSpec = s.object('Desired state of the cluster.', {
  managedClusterClientConfigs: s.optional(s.list(clientConfig, 'Where the API server of the cluster answers.')),
  hubAcceptsClient: s.optional(s.boolean("Whether the hub accepts the cluster's agent.")),
  leaseDurationSeconds: s.withDefault(
    s.integer('How often the agent renews its lease, in seconds.', { format: 'int32' }),
    60,
  ),
  taints: s.optional(s.list(managedClusterTaint, 'Taints that Placements must tolerate.')),
});

const claimValue = { minLength: 1, maxLength: 1024 } as const;

export const reportedClaim = s.object('A claim that the cluster reports.', {
  name: s.optional(s.string('Name of the claim.', { minLength: 1, maxLength: 253 })),
  value: s.optional(s.string('Value of the claim.', claimValue)),
});

const managedNamespace = s.object('A namespace that a set has on the cluster.', {
  clusterSet: s.string('Name of the ManagedClusterSet.'),
  name: s.string('Name of the namespace.', namespaceName),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the namespace exists.')),
});

export const managedClusterStatus = s.object('Observed state of the cluster.', {
  conditions: s.optional(s.listByKey('type', condition, 'Whether the cluster was accepted, joined and is available.')),
  capacity: s.optional(s.map(quantity, 'Capacity of all nodes.')),
  allocatable: s.optional(s.map(quantity, 'What is allocatable to pods on all nodes.')),
  version: s.optional(
    s.object('Versions of the cluster.', { kubernetes: s.optional(s.string('Version of Kubernetes.')) }),
  ),
  clusterClaims: s.optional(s.list(reportedClaim, 'Claims of the cluster, for Placements to select by.')),
  managedNamespaces: s.optional(
    s.listByKey(['clusterSet', 'name'], managedNamespace, 'Namespaces that sets have on the cluster.'),
  ),
});

export const managedClusterDefinition = defineOcmKind(managedClusters, {
  description: 'A cluster that Placements of Open Cluster Management can select.',
  shortNames: ['mcl', 'mcls'],
  fields: { spec: s.optional(managedClusterSpec), status: s.optional(managedClusterStatus) },
  subresources: { status: {} },
  columns: [
    { name: 'Hub Accepted', type: 'boolean', jsonPath: '.spec.hubAcceptsClient' },
    field('Managed Cluster URLs', '.spec.managedClusterClientConfigs[*].url'),
    conditionColumn('Joined', 'ManagedClusterJoined'),
    conditionColumn('Available', 'ManagedClusterConditionAvailable'),
    age,
  ],
});

export const clusterClaimSpec = s.object('The claim.', {
  value: s.optional(s.string('Value of the claim.', claimValue)),
});

export const clusterClaimDefinition = defineOcmKind(clusterClaims, {
  description: 'A fact about the cluster that has this object.',
  fields: { spec: s.optional(clusterClaimSpec) },
});
