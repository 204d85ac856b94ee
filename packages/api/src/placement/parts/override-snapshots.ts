import { s, type Infer } from '@flotilla/schema';

export const namespacedName = s.object('Names one object.', {
  name: s.string('Its name.'),
  namespace: s.string('Its namespace.'),
});

export type NamespacedName = Infer<typeof namespacedName>;

/** The overrides for a cluster, in bindings and update runs. */
export const overrideSnapshots = {
  resourceOverrideSnapshots: s.optional(s.list(namespacedName, 'Snapshots of the ResourceOverrides for the cluster.')),
  clusterResourceOverrideSnapshots: s.optional(
    s.list(s.string('Name of a snapshot.'), 'Snapshots of the ClusterResourceOverrides for the cluster.'),
  ),
} as const;
