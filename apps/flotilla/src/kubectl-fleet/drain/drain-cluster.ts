/** KubeFleet's `draincluster`, with its sentences: two rounds of evictions, and success whatever becomes of them. */
import { clusterResourceBindings, clusterResourcePlacements, placementLabel } from '@flotilla/api';
import { errorMessage } from '@flotilla/kube';
import { inParallel } from '@flotilla/timing';
import { UserError } from '../../user-error.ts';
import type { Session } from '../../session/session.ts';
import { cordon } from './cordon.ts';
import { evict, requestsAtOnce, type Verdict } from './evict.ts';

export async function drainCluster(session: Session, cluster: string): Promise<void> {
  const { print } = session;
  const outcome = async (sentence: string): Promise<string> =>
    (await drainOnce(session, cluster).catch((error: unknown) => {
      throw new UserError(`${sentence} ${cluster}: ${errorMessage(error)}`, { cause: error });
    }))
      ? 'was successful'
      : 'was not successful';
  print(`drain ${await outcome('failed to drain member cluster')} for cluster ${cluster}`);
  print('retrying drain to ensure all resources propagated from hub cluster are evicted');
  print(`drain retry ${await outcome('failed to drain cluster on retry')} for cluster ${cluster}`);
  print(`reminder: uncordon the cluster ${cluster} to remove cordon taint if needed`);
}

async function drainOnce(session: Session, cluster: string): Promise<boolean> {
  const { print } = session;
  await cordon(session, cluster);
  print(`Successfully cordoned member cluster ${cluster} by adding cordon taint`);
  const placements = await placementsOn(session, cluster);
  if (placements.length === 0) {
    const which = 'from fleet using ClusterResourcePlacement resources';
    print(`There are currently no resources propagated to ${cluster} ${which}`);
    return true;
  }
  const verdicts = await evict(session, cluster, placements);
  const sentences = await inParallel(verdicts, requestsAtOnce, (verdict) => sentencesOn(session, cluster, verdict));
  for (const sentence of sentences.flat()) print(sentence);
  return verdicts.every(({ outcome }) => outcome !== 'refused');
}

async function placementsOn({ hub, signal }: Session, cluster: string): Promise<string[]> {
  const { items } = await hub.list(clusterResourceBindings, { signal });
  const names = items
    .filter(({ metadata, spec }) => spec.targetCluster === cluster && metadata.deletionTimestamp === undefined)
    .map(({ metadata: { name, labels = {} } }) => {
      const placement = Object.hasOwn(labels, placementLabel) ? labels[placementLabel] : undefined;
      if (placement === undefined) throw new UserError(`failed to get CRP name from binding ${name}`);
      return placement;
    });
  return [...new Set(names)].sort();
}

async function sentencesOn(session: Session, cluster: string, verdict: Verdict): Promise<string[]> {
  const { eviction, placement, outcome, message } = verdict;
  const what = `for CRP ${placement} targeting member cluster ${cluster}`;
  const created = `Created eviction ${eviction} ${what}`;
  switch (outcome) {
    case 'gone':
      return [created, `eviction ${eviction} is invalid with reason ${message} ${what}, but drain will succeed`];
    case 'refused':
      return [created, `eviction ${eviction} was not executed successfully ${what}`];
    case 'executed': {
      const evicted = await evictedResources(session, cluster, placement);
      return [created, `eviction ${eviction} was executed successfully ${what}`, ...evicted];
    }
  }
}

/** Each as GROUP/VERSION/KIND/NAMESPACE/NAME. */
async function evictedResources({ hub, signal }: Session, cluster: string, placement: string): Promise<string[]> {
  try {
    const { status } = await hub.get(clusterResourcePlacements, { name: placement }, { signal });
    return (status?.selectedResources ?? [])
      .filter(({ namespace = '' }) => namespace === '')
      .map(({ group = '', version, kind, name }) => `${group || "''"}/${version}/${kind}/''/${name}`)
      .map(
        (resource) => `evicted resource ${resource} propagated by CRP ${placement} targeting member cluster ${cluster}`,
      );
  } catch (error) {
    return [`failed to collect cluster scoped resources selected by CRP ${placement}: ${errorMessage(error)}`];
  }
}
