import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { clusterCategories } from '../groups.ts';
import { age, conditionColumn, field, wide } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { internalMemberClusters, memberClusters } from './member-cluster.ts';

export const quantity = s.intOrString('A Kubernetes quantity: `500m`, `2Gi`.', {
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
});

/** Quantities by resource name: `cpu: 500m`. */
function quantities(description: string) {
  return s.map(quantity, description);
}

export const agentStatus = s.object('The status of one agent.', {
  type: s.string('Which agent: MemberAgent, MultiClusterServiceAgent or ServiceExportImportAgent.'),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the agent has joined, and whether it is healthy.')),
  lastReceivedHeartbeat: s.optional(s.dateTime('When the agent last reported.')),
});

export const propertyValue = s.object('A property and when it was observed.', {
  value: s.string('The value, as text.'),
  observationTime: s.dateTime('When it was observed.'),
});

export const resourceUsage = s.object('The resources of the member.', {
  capacity: s.optional(quantities('Capacity of all nodes.')),
  allocatable: s.optional(quantities('What is allocatable to pods on all nodes.')),
  available: s.optional(quantities('What no pod has requested yet.')),
  observationTime: s.optional(s.dateTime('When it was computed.')),
});

/** How often agents report. Users set it in the MemberCluster, and the hub copies it. */
const heartbeatPeriodSeconds = s.withDefault(
  s.integer('How often the agents report, in seconds.', { format: 'int32', minimum: 1, maximum: 600 }),
  60,
);

/**
 * The fields that agents report about their member, except for the conditions of the object, whose lists merge
 * differently. Agents write them into the InternalMemberCluster; the hub copies them to the MemberCluster.
 */
const reportedFields = {
  properties: s.optional(s.map(propertyValue, 'Properties of the member by name, for placements to select by.')),
  resourceUsage: s.optional(resourceUsage),
  agentStatus: s.optional(s.list(agentStatus, 'One entry for each agent of the member.')),
  namespaces: s.optional(
    s.map(
      s.string('Name of the AppliedWork that owns it; empty if none does.'),
      'Namespaces on the member, if its provider reports them.',
    ),
  ),
} as const;

export const identity = s.object(
  "The identity of the member's agents on the hub. It gets access to the member's namespace there.",
  {
    kind: s.string('User, Group or ServiceAccount.'),
    apiGroup: s.optional(s.string('API group of the kind; defaults to that of RBAC for users and groups.')),
    name: s.string('Name of the user, group or service account.'),
    namespace: s.optional(s.string('Namespace of a ServiceAccount.')),
  },
  { atomic: true },
);

export const taint = s.object('Repels placements that do not tolerate it.', {
  key: s.string('Key that tolerations refer to.'),
  value: s.optional(s.string('Value that tolerations may compare.')),
  effect: s.oneOf(['NoSchedule'], 'No new placement is scheduled here; existing ones stay.'),
});

export const memberClusterSpec = s.object('Desired state of the member.', {
  identity,
  heartbeatPeriodSeconds,
  taints: s.optional(s.list(taint, 'Taints that placements must tolerate.', { maxItems: 100 })),
  deleteOptions: s.optional(
    s.object('How the member may be deleted.', {
      validationMode: s.withDefault(
        s.oneOf(['Skip', 'Strict'], 'Strict refuses while the member still exports services; Skip does not check.'),
        'Strict',
      ),
    }),
  ),
});

export const memberClusterStatus = s.object('Observed state of the member.', {
  conditions: s.optional(s.listByKey('type', condition, 'Whether the member has joined, and what its agent reports.')),
  ...reportedFields,
});

export const memberClusterDefinition = defineVersions(memberClusters, {
  description: 'A cluster of the fleet. Its agents join when it is created, and leave when it is deleted.',
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

export const internalMemberClusterSpec = s.object('What the hub requests from the agents.', {
  state: s.string('Join or Leave.'),
  heartbeatPeriodSeconds,
});

export const internalMemberClusterStatus = s.object('What the agents report.', {
  conditions: s.optional(s.list(condition, 'Whether properties and namespaces were collected.')),
  ...reportedFields,
});

export const internalMemberClusterDefinition = defineVersions(internalMemberClusters, {
  description: 'Connects the hub and the agents of one member: the hub writes the spec, the agents the status.',
  shortNames: ['imc'],
  categories: clusterCategories,
  fields: { spec: internalMemberClusterSpec, status: s.optional(internalMemberClusterStatus) },
  subresources: { status: {} },
  columns: [age],
  versions: { v1: { lacks: ['status.namespaces'] }, v1beta1: {} },
});
