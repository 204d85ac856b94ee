import { conditionOf, type MemberCluster, memberClusterConditions, memberClusters } from '@flotilla/api';
import type { KubeObject, MetricsRegistry } from '@flotilla/kube';
import type { HeldInformer, InformerSet } from '@flotilla/runtime';

/** Counts members that join and leave, by their conditions. Call the result to stop. */
export function countMemberships(informers: InformerSet, metrics: MetricsRegistry): HeldInformer['release'] {
  const labels = ['result'];
  const joined = metrics.counter({ name: 'join_result_counter', help: 'Members that have joined.', labels });
  const left = metrics.counter({ name: 'leave_result_counter', help: 'Members that have left.', labels });
  const { informer, release } = informers.hold(memberClusters);
  const unsubscribe = informer.subscribe((now, old) => {
    if (now === undefined || old === undefined) return;
    const status = joinedIn(now);
    if (status === joinedIn(old)) return;
    if (status === 'True') joined.with('success').add();
    if (status === 'False') left.with('success').add();
  });
  return async () => {
    unsubscribe();
    await release();
  };
}

function joinedIn(object: Readonly<KubeObject>): string | undefined {
  const { status } = object as Readonly<MemberCluster>;
  return conditionOf(status?.conditions, memberClusterConditions.joined)?.status;
}
