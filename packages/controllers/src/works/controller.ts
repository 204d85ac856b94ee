import {
  clusterResourceOverrideSnapshots,
  families,
  memberClusters,
  resourceOverrideSnapshots,
  works,
  type Binding,
  type PlacementFamily,
  type Work,
} from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, Watched } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { placementOf } from '../family/placement-key.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { namedOverrides } from '../overrides/overridden-manifest.ts';
import { AwaitedReports } from './awaited-reports.ts';
import { decideWorks, isServed, unreportedMs } from './decide.ts';
import type { EnvelopeRules } from './envelope-manifests.ts';
import {
  bindingIndexes,
  clusterIndexes,
  clusterMetadata,
  groupMembers,
  hasOurAgent,
  placementIndexes,
  reportBackOf,
  snapshotIndexes,
  workIndexes,
  worksOf,
} from './indexes.ts';
import type { RecentReports } from './recent-reports.ts';
import type { RenderedGroup } from './rendered-group.ts';
import { RenderedSnapshots } from './rendered-snapshots.ts';
import {
  bindingOfFound,
  concernsOfBinding,
  concernsOfGoneWork,
  concernsOfMember,
  concernsOfOtherBinding,
  concernsOfOverride,
  concernsOfPlacement,
  concernsOfSnapshot,
  concernsOfWork,
  delayOfReport,
} from './wakes.ts';
import { bindingOf, workNamespaceOf } from './work-names.ts';
import type { RivalWork, WorksState } from './works-state.ts';

/** A reconcile waits for its writes; bindings should not wait for each other. */
const workers = 64;

/** Works in the namespaces of members, and what they report in the status of bindings. */
export function worksControllers(
  enabled: readonly PlacementFamily[],
  rules: EnvelopeRules,
  watched: WatchedProgress,
): Controller<WorksState>[] {
  return enabled.map((family) => worksController(family, rules, watched));
}

/** What works learns beside objects, of all families. */
export interface WatchedProgress {
  readonly started: StartedRollouts;
  readonly reports: RecentReports;
  readonly clock: Clock;
}

function worksController(
  family: PlacementFamily,
  rules: EnvelopeRules,
  { started, reports, clock }: WatchedProgress,
): Controller<WorksState> {
  const snapshots = new RenderedSnapshots(rules);
  const awaited = new AwaitedReports(reports, clock);
  const concerns = concernsOfBinding(family, started);
  const bindingChanged: Watched['concerns'] = (now, old, cache) => {
    const concerned = concerns(now, old, cache);
    started.changed(now as Binding | undefined, old as Binding | undefined);
    return concerned;
  };
  return {
    name: family.scope === 'Cluster' ? 'cluster-resource-binding-work-generator' : 'resource-binding-work-generator',
    eventSource:
      family.scope === 'Cluster' ? 'cluster resource binding work generator' : 'resource binding work generator',
    workers,
    watches: [
      { kind: family.binding, concerns: bindingChanged, indexes: bindingIndexes },
      { kind: otherThan(family).binding, concerns: concernsOfOtherBinding(family) },
      { kind: works, concerns: concernsOfGoneWork(family), existing: bindingOfFound(family), indexes: workIndexes },
      {
        kind: works,
        concerns: concernsOfWork(family, reports),
        existing: bindingOfFound(family),
        afterMs: delayOfReport(family),
      },
      { kind: memberClusters, concerns: concernsOfMember(family), indexes: clusterIndexes, keepsMetadata: true },
      {
        kind: family.resourceSnapshot,
        concerns: concernsOfSnapshot(family),
        indexes: snapshotIndexes,
        keepsMetadata: true,
      },
      { kind: clusterResourceOverrideSnapshots, concerns: concernsOfOverride(family) },
      { kind: resourceOverrideSnapshots, concerns: concernsOfOverride(family) },
      { kind: family.placement, concerns: concernsOfPlacement(family), indexes: placementIndexes },
    ],
    sources: [awaited.source],
    observe: (key, cache) => {
      awaited.remove(key);
      return observeBinding(key, cache, { family, snapshots, started, reports });
    },
    decide: (state, now) => {
      const { awaitsReports = false, ...plan } = decideWorks(state, rules.isClusterScoped, now);
      if (awaitsReports) awaited.add(keyOf(state.binding));
      return plan;
    },
  };
}

function otherThan(family: PlacementFamily): PlacementFamily {
  return families.find((other) => other !== family) ?? family;
}

function keyOf({ metadata: { namespace, name = '' } }: Readonly<Binding>): ObjectKey {
  return { namespace, name };
}

interface Observer extends Omit<WatchedProgress, 'clock'> {
  readonly family: PlacementFamily;
  readonly snapshots: RenderedSnapshots;
}

function observeBinding(key: ObjectKey, cache: Cache, observer: Observer): WorksState | undefined {
  const { family, snapshots, started, reports } = observer;
  const stored = cache.get(family.binding, key);
  if (stored === undefined) return undefined;
  const binding = started.shown(stored);
  if (!isServed(binding)) return undefined;
  const isDeleting = binding.metadata.deletionTimestamp !== undefined;
  const { targetCluster: name } = binding.spec;
  const namespace = workNamespaceOf(binding);
  const own = worksOf(cache, key).filter(({ metadata }) => metadata.namespace === namespace);
  const group = isDeleting ? undefined : observeGroup(binding, cache, family, snapshots);
  const placement = placementOf(binding);
  return {
    family,
    binding,
    cluster: clusterMetadata(cache, name),
    hasOurAgent: hasOurAgent(cache, name),
    mayWaitMs: reports.msAgo < unreportedMs ? started.left([stored]).leftForMs : undefined,
    works: own,
    rivals: observeRivals(binding, own, group, cache),
    group,
    overrides: namedOverrides(binding.spec, {
      cluster: (named) => cache.get(clusterResourceOverrideSnapshots, named),
      namespaced: (named) => cache.get(resourceOverrideSnapshots, named),
    }),
    reportBack: placement && reportBackOf(cache, family.placement, placement),
  };
}

function observeGroup(
  { metadata: { namespace }, spec }: Readonly<Binding>,
  cache: Cache,
  { resourceSnapshot }: PlacementFamily,
  snapshots: RenderedSnapshots,
): RenderedGroup | undefined {
  const master = cache.get(resourceSnapshot, { namespace, name: spec.resourceSnapshotName });
  return master && snapshots.group(master, () => groupMembers(cache, resourceSnapshot, master));
}

/** Only looked for where the binding lacks a Work. */
function observeRivals(
  binding: Readonly<Binding>,
  own: readonly Readonly<Work>[],
  group: RenderedGroup | undefined,
  cache: Cache,
): readonly RivalWork[] {
  if (group === undefined || group.problem !== undefined) return [];
  const names = new Set(own.map(({ metadata }) => metadata.name));
  const namespace = workNamespaceOf(binding);
  return group.works
    .filter(({ name }) => !names.has(name))
    .flatMap(({ name }) => cache.get(works, { namespace, name }) ?? [])
    .filter((work) => !own.includes(work))
    .map((work) => ({ work, binding: existingBindingOf(work, cache) }));
}

function existingBindingOf(work: Readonly<Work>, cache: Cache): ObjectKey | undefined {
  const key = bindingOf(work);
  if (key === undefined) return undefined;
  const family = families.find(({ binding }) => binding.namespaced === (key.namespace !== undefined));
  return family && cache.get(family.binding, key) ? key : undefined;
}
