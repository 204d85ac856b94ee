import { s } from '@flotilla/schema';
import { defineVersions } from '../define-versions.ts';
import { age } from '../parts/columns.ts';
import { condition } from '../parts/condition.ts';
import { clusterCategories } from './cluster-categories.ts';
import { internalMemberClusters } from './internal-member-cluster.ts';
import { heartbeatPeriodSeconds, reportedFields } from './reported-status.ts';

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
