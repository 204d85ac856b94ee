import { s, type Infer } from '@flotilla/schema';

const clusterScore = s.object('How the cluster ranked.', {
  affinityScore: s.optional(s.integer('What the wishes about clusters gave it.', { format: 'int32' })),
  priorityScore: s.optional(s.integer('What the spread over topologies gave it.', { format: 'int32' })),
});

export const clusterDecision = s.object('What the scheduler decided about a cluster.', {
  clusterName: s.string('The cluster.'),
  clusterScore: s.optional(clusterScore),
  reason: s.string('Why it was chosen, or why not.'),
  selected: s.boolean('Whether it was chosen.'),
});

export type ClusterDecision = Infer<typeof clusterDecision>;
