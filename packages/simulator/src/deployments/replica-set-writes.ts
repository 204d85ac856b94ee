import type { PlannedEvent, Write } from '@flotilla/runtime';
import { kinds, type Deployment, type ReplicaSet } from '../kinds.ts';
import { annotationOf, sizeAnnotations } from './annotations.ts';
import { allSets, sizeOf, type Resize, type Rollout } from './rollout.ts';

/** One update for each set that changes, in its size or its annotations. */
export function setWrites(
  rollout: Rollout,
  synced: Rollout,
  resizes: readonly Resize[],
  isProportional: boolean,
): Write[] {
  const sizes = new Map(resizes.map(({ set, to }) => [set, to]));
  const annotations = sizeAnnotations(synced.deployment);
  const before = new Set<unknown>(allSets(rollout));
  return allSets(synced).flatMap((set): Write[] => {
    const to = sizes.get(set) ?? sizeOf(set);
    const isResized = to !== sizeOf(set);
    const isMarked = isResized || (isProportional && sizes.has(set));
    const marked = isMarked ? withAnnotations(set, annotations) : set;
    const object = isResized ? { ...marked, spec: { ...marked.spec, replicas: to } } : marked;
    if (before.has(object)) return [];
    const event = lastEvent(synced.deployment, set, resizes);
    return [{ verb: 'update', kind: kinds.replicaSet, object, ...(event && { event }) }];
  });
}

function withAnnotations(
  set: Readonly<ReplicaSet>,
  annotations: Readonly<Record<string, string>>,
): Readonly<ReplicaSet> {
  const isSame = Object.entries(annotations).every(([name, value]) => annotationOf(set, name) === value);
  if (isSame) return set;
  return { ...set, metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } } };
}

/** A set that is resized twice in a turn is written once, but each resize has its event. */
function scalingEvents(
  deployment: Readonly<Deployment>,
  set: Readonly<ReplicaSet>,
  resizes: readonly Resize[],
): PlannedEvent[] {
  const sizes = [sizeOf(set), ...resizes.filter((resize) => resize.set === set).map(({ to }) => to)];
  return sizes.slice(1).flatMap((to, index) => scalingEvent(deployment, set, sizes[index] ?? 0, to));
}

export function scalingEvent(
  deployment: Readonly<Deployment>,
  set: Readonly<ReplicaSet>,
  from: number,
  to: number,
): PlannedEvent[] {
  if (from === to) return [];
  const direction = from < to ? 'up' : 'down';
  const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`;
  return [{ about: deployment, type: 'Normal', reason: 'ScalingReplicaSet', message }];
}

function lastEvent(
  deployment: Readonly<Deployment>,
  set: Readonly<ReplicaSet>,
  resizes: readonly Resize[],
): PlannedEvent | undefined {
  return scalingEvents(deployment, set, resizes).at(-1);
}

export function earlierEvents({ deployment, oldSets }: Rollout, resizes: readonly Resize[]): PlannedEvent[] {
  return oldSets.flatMap((set) => scalingEvents(deployment, set, resizes).slice(0, -1));
}
