/** What agents report of their member. They write it into the InternalMemberCluster; the hub copies it to the MemberCluster. */
import { s } from '@flotilla/schema';
import { condition } from '../parts/condition.ts';
import { quantities } from '../parts/quantities.ts';

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

/** How often agents report, as people write it in the MemberCluster and the hub passes it on. */
export const heartbeatPeriodSeconds = s.withDefault(
  s.integer('How often, in seconds, the agents report that they live.', { format: 'int32', minimum: 1, maximum: 600 }),
  60,
);

/** All that is reported, but for the conditions of the object: these lists merge differently. */
export const reportedFields = {
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
