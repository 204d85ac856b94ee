import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { age, conditionColumn, field, wide } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { clusterCategories } from './cluster-categories.ts';
import { memberClusters } from './member-cluster.ts';
import { heartbeatPeriodSeconds, reportedFields } from './reported-status.ts';

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
