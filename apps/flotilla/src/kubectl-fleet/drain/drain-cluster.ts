/** KubeFleet's `draincluster`, with its sentences: two rounds of evictions, and success whatever becomes of them. */
import { clusterResourceBindings, clusterResourcePlacements, placementLabel } from '@flotilla/api';
import { errorMessage } from '@flotilla/kube';
import { UserError } from '../../user-error.ts';
import type { Session } from '../../session/session.ts';
import { cordon } from './cordon.ts';
import { evict, type Verdict } from './evict.ts';

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
  for (const verdict of verdicts) await report(session, cluster, verdict);
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

async function report(session: Session, cluster: string, verdict: Verdict): Promise<void> {
  const { print } = session;
  const { eviction, placement, outcome, message } = verdict;
  const what = `for CRP ${placement} targeting member cluster ${cluster}`;
  print(`Created eviction ${eviction} ${what}`);
  if (outcome === 'gone')
    print(`eviction ${eviction} is invalid with reason ${message} ${what}, but drain will succeed`);
  else if (outcome === 'refused') print(`eviction ${eviction} was not executed successfully ${what}`);
  else {
    print(`eviction ${eviction} was executed successfully ${what}`);
    for (const resource of await clusterScopedResources(session, placement)) {
      print(`evicted resource ${resource} propagated by CRP ${placement} targeting member cluster ${cluster}`);
    }
  }
}

/** GROUP/VERSION/KIND/NAMESPACE/NAME. */
async function clusterScopedResources({ hub, print, signal }: Session, placement: string): Promise<string[]> {
  try {
    const { status } = await hub.get(clusterResourcePlacements, { name: placement }, { signal });
    return (status?.selectedResources ?? [])
      .filter(({ namespace = '' }) => namespace === '')
      .map(({ group = '', version, kind, name }) => `${group || "''"}/${version}/${kind}/''/${name}`);
  } catch (error) {
    print(`failed to collect cluster scoped resources selected by CRP ${placement}: ${errorMessage(error)}`);
    return [];
  }
}
