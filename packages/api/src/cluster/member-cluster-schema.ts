import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { clusterCategories } from '../groups.ts';
import { age, conditionColumn, field, wide } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { internalMemberClusters, memberClusters } from './member-cluster.ts';

/**
 * The fields that agents report about their member. They write them into the InternalMemberCluster; the hub copies them
 * to the MemberCluster.
 */

export const quantity = s.intOrString('An amount, as Kubernetes writes it: `500m`, `2Gi`.', {
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
});

/** Quantities by resource name: `cpu: 500m`. */
function quantities(description: string) {
  return s.map(quantity, description);
}

export const agentStatus = s.object('What one agent says of itself.', {
  type: s.string('Which agent: MemberAgent, MultiClusterServiceAgent or ServiceExportImportAgent.'),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the agent has joined, and whether it is healthy.')),
  lastReceivedHeartbeat: s.optional(s.dateTime('When the agent last said that it lives.')),
});

export const propertyValue = s.object('A property and when it was looked at.', {
  value: s.string('The value, as text.'),
  observationTime: s.dateTime('When it was observed.'),
});

export const resourceUsage = s.object('What the member has, and what of it is free.', {
  capacity: s.optional(quantities('All that the nodes have.')),
  allocatable: s.optional(quantities('What the nodes give to pods.')),
  available: s.optional(quantities('What pods have not asked for yet.')),
  observationTime: s.optional(s.dateTime('When it was counted.')),
});

/** How often agents report. Users set it in the MemberCluster, and the hub copies it. */
const heartbeatPeriodSeconds = s.withDefault(
  s.integer('How often, in seconds, the agents report that they live.', { format: 'int32', minimum: 1, maximum: 600 }),
  60,
);

/** All reported fields, except for the conditions of the object, whose lists merge differently. */
const reportedFields = {
  properties: s.optional(s.map(propertyValue, 'Properties of the member by name, for placements to choose by.')),
  resourceUsage: s.optional(resourceUsage),
  agentStatus: s.optional(s.list(agentStatus, 'One entry for each agent of the member.')),
  namespaces: s.optional(
    s.map(
      s.string('Name of the AppliedWork that owns it; empty where none does.'),
      'Namespaces on the member, where its provider reports them.',
    ),
  ),
} as const;

export const identity = s.object(
  "As whom the member's agents come to the hub. It is given access to the member's namespace there.",
  {
    kind: s.string('User, Group or ServiceAccount.'),
    apiGroup: s.optional(s.string('API group of the kind; for users and groups that of RBAC when left out.')),
    name: s.string('Name of the user, group or account.'),
    namespace: s.optional(s.string('Namespace of a ServiceAccount.')),
  },
  { atomic: true },
);

export const taint = s.object('Keeps placements away that do not tolerate it.', {
  key: s.string('What tolerations name.'),
  value: s.optional(s.string('What tolerations may compare.')),
  effect: s.oneOf(['NoSchedule'], 'Nothing new is placed here; what is here stays.'),
});

export const memberClusterSpec = s.object('What the hub wants of the member.', {
  identity,
  heartbeatPeriodSeconds,
  taints: s.optional(s.list(taint, 'Reasons for placements to stay away.', { maxItems: 100 })),
  deleteOptions: s.optional(
    s.object('How the member may be deleted.', {
      validationMode: s.withDefault(
        s.oneOf(['Skip', 'Strict'], 'Strict refuses while the member still exports services; Skip does not look.'),
        'Strict',
      ),
    }),
  ),
});

export const memberClusterStatus = s.object('What is known of the member.', {
  conditions: s.optional(s.listByKey('type', condition, 'Whether the member has joined, and what its agent reports.')),
  ...reportedFields,
});

export const memberClusterDefinition = defineVersions(memberClusters, {
  description: 'A cluster of the fleet. To create one lets its agents join; to delete it makes them leave.',
  shortNames: ['cluster'],
  categories: clusterCategories,
  fields: { spec: memberClusterSpec, status: s.optional(memberClusterStatus) },
  rules: [{ rule: 'size(self.metadata.name) < 64', message: 'metadata.name max length is 63' }],
  subresources: { status: {} },
  columns: [
    conditionColumn('Joined', 'Joined'),
    age,
    {
      name: 'Member-Agent-Last-Seen',
      type: 'date',
      jsonPath: '.status.agentStatus[?(@.type=="MemberAgent")].lastReceivedHeartbeat',
    },
    field('Node-Count', '.status.properties.kubernetes-fleet\\.io/node-count.value'),
    field('Available-CPU', '.status.resourceUsage.available.cpu'),
    field('Available-Memory', '.status.resourceUsage.available.memory'),
    wide(field('Allocatable-CPU', '.status.resourceUsage.allocatable.cpu')),
    wide(field('Allocatable-Memory', '.status.resourceUsage.allocatable.memory')),
  ],
  versions: { v1: { lacks: ['spec.deleteOptions', 'status.namespaces'] }, v1beta1: {} },
});

export const internalMemberClusterSpec = s.object('What the hub asks of the agents.', {
  state: s.string('Join or Leave.'),
  heartbeatPeriodSeconds,
});

export const internalMemberClusterStatus = s.object('What the agents answer.', {
  conditions: s.optional(s.list(condition, 'How the collection of properties and namespaces went.')),
  ...reportedFields,
});

export const internalMemberClusterDefinition = defineVersions(internalMemberClusters, {
  description: 'How the hub and the agents of one member talk: the hub writes the spec, the agents the status.',
  shortNames: ['imc'],
  categories: clusterCategories,
  fields: { spec: internalMemberClusterSpec, status: s.optional(internalMemberClusterStatus) },
  subresources: { status: {} },
  columns: [age],
  versions: { v1: { lacks: ['status.namespaces'] }, v1beta1: {} },
});
