/** Which bindings a change concerns. Most changes concern none: statuses of bindings are ours, and agents write Works twice before they report. */
import {
  bindingConditions,
  deletePropagationAnnotation,
  type Binding,
  type Placement,
  type PlacementFamily,
  type Work,
} from '@flotilla/api';
import { jsonEquals, type JsonValue, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Labelled, type Watched } from '@flotilla/runtime';
import { statusNow } from '../family/binding-progress.ts';
import { ofPlacement, placementOf } from '../family/placement-key.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { isServed, unreportedMs } from './decide.ts';
import {
  bindingsOfCluster,
  bindingsWithOverride,
  bindingsWithSnapshot,
  bindingsWithWorkNames,
  worksOf,
} from './indexes.ts';
import type { RecentReports } from './recent-reports.ts';
import { own } from './wanted-work.ts';
import { bindingOf, memberIn, placementOfWork } from './work-names.ts';
import { isReported, isSameReport } from './work-report.ts';

type Concerns = Watched['concerns'];

const keyOf = ({ metadata: { namespace, name = '' } }: Readonly<KubeObject>): ObjectKey => ({ namespace, name });

/** A binding that goes away leaves its names to others. */
export function concernsOfBinding({ binding }: PlacementFamily, started: StartedRollouts): Concerns {
  const relevant = (object: KubeObject): JsonValue => relevantParts(started.shown(object as Binding));
  return (now, old, cache) => {
    if (now === undefined) return withSameWorkNames(old as Binding | undefined, binding, cache);
    if (!isServed(started.shown(now as Binding))) return [];
    return old === undefined || !jsonEquals(relevant(now), relevant(old)) ? itself(now, old) : [];
  };
}

/** Of the other family, only the names of Works matter. */
export function concernsOfOtherBinding({ binding }: PlacementFamily): Concerns {
  return (now, old, cache) => (now === undefined ? withSameWorkNames(old as Binding | undefined, binding, cache) : []);
}

function withSameWorkNames(gone: Binding | undefined, kind: Kind<Binding>, cache: Cache): ObjectKey[] {
  const placement = gone && placementOf(gone);
  if (gone === undefined || placement === undefined) return [];
  return bindingsWithWorkNames(cache, kind, gone.spec.targetCluster, placement).map(keyOf);
}

function relevantParts(binding: Binding): JsonValue {
  const {
    uid = '',
    generation = 0,
    labels = {},
    annotations = {},
    finalizers = [],
    deletionTimestamp = '',
  } = binding.metadata;
  const rollout = statusNow(binding, bindingConditions.rolloutStarted) ?? '';
  return [uid, generation, labels, annotations, finalizers, deletionTimestamp, rollout];
}

/** A Work that is gone must be made again, or lets a binding go, or leaves its name to another binding. */
export function concernsOfGoneWork(family: PlacementFamily): Concerns {
  return (now, old, cache) => {
    if (now !== undefined || old === undefined) return [];
    const cluster = memberIn(old.metadata.namespace);
    const placement = placementOfWork(old);
    const others =
      cluster === undefined || placement === undefined
        ? []
        : bindingsWithWorkNames(cache, family.binding, cluster, placement).map(keyOf);
    return [...itsBinding(old, family), ...others];
  };
}

/** A Work that came with a report: its creation may be seen late. */
export function concernsOfWork(family: PlacementFamily, reports: RecentReports): Concerns {
  return (now, old) => {
    if (now === undefined) return [];
    const work = now as Work;
    if (old !== undefined && isReported(work) && !isReported(old)) reports.add();
    const isRelevant = old === undefined ? isReported(work) : isRelevantChange(work, old);
    return isRelevant ? itsBinding(work, family) : [];
  };
}

function isRelevantChange(now: Readonly<Work>, old: Readonly<Work>): boolean {
  const [{ metadata: a }, { metadata: b }] = [now, old];
  if (a.generation !== b.generation || a.deletionTimestamp !== b.deletionTimestamp) return true;
  if (!jsonEquals(a.labels ?? {}, b.labels ?? {}) || !jsonEquals(a.annotations ?? {}, b.annotations ?? {})) return true;
  // An abandoned Work is deleted once the agent's finalizer is off.
  const isAbandoned = own(a.annotations ?? {}, deletePropagationAnnotation) !== undefined;
  if (isAbandoned && !jsonEquals(a.finalizers ?? [], b.finalizers ?? [])) return true;
  return isReported(now) ? !isSameReport(now, old) : isReported(old);
}

/** A Work that exists at a start, or after changes were missed: it may have reported. A hub has as many Works as bindings, so none is parsed. */
export function bindingOfFound(family: PlacementFamily): NonNullable<Watched['existing']> {
  return ({ outline: { labels = {} } }) => itsBinding({ metadata: { labels } }, family);
}

/** Works with a namespace belong to the namespaced family. */
function itsBinding(work: Labelled, { binding: { namespaced } }: PlacementFamily): ObjectKey[] {
  const key = bindingOf(work);
  return key === undefined || (key.namespace !== undefined) !== namespaced ? [] : [key];
}

/** Works that report together cost one status. What an incomplete report says can wait. */
export function delayOfReport({ binding }: PlacementFamily): NonNullable<Watched['afterMs']> {
  return (key, cache) => {
    const isDeleting = cache.get(binding, key)?.metadata.deletionTimestamp !== undefined;
    return isDeleting || worksOf(cache, key).every(isReported) ? 0 : unreportedMs;
  };
}

/** Overrides read labels of members. A member may come after its bindings. */
export function concernsOfMember({ binding }: PlacementFamily): Concerns {
  return (now, old, cache) => {
    const isSame = now !== undefined && old !== undefined && jsonEquals(memberParts(now), memberParts(old));
    const name = (now ?? old)?.metadata.name;
    return isSame || name === undefined ? [] : bindingsOfCluster(cache, binding, name).map(keyOf);
  };
}

function memberParts({ metadata: { uid = '', labels = {}, deletionTimestamp = '' } }: KubeObject): JsonValue {
  return [uid, labels, deletionTimestamp];
}

/** Bindings may name a snapshot before it, or the rest of its group, is visible here. */
export function concernsOfSnapshot(family: PlacementFamily): Concerns {
  return (now, old, cache) =>
    now === undefined || old !== undefined ? [] : bindingsWithSnapshot(cache, family, now).map(keyOf);
}

export function concernsOfOverride({ binding }: PlacementFamily): Concerns {
  return (now, old, cache) =>
    now === undefined || old !== undefined ? [] : bindingsWithOverride(cache, binding, now).map(keyOf);
}

/** The strategy for reporting back is the only part of a placement that reaches Works without its bindings. */
export function concernsOfPlacement({ binding }: PlacementFamily): Concerns {
  return (now, old, cache) => {
    if (now === undefined || old === undefined) return [];
    const isSame = jsonEquals(reportBackOf(now as Placement), reportBackOf(old as Placement));
    return isSame ? [] : ofPlacement(cache, binding, keyOf(now)).map(keyOf);
  };
}

function reportBackOf({ spec }: Placement): JsonValue {
  return spec.strategy?.reportBackStrategy ?? null;
}
