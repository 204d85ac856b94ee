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
  const annotations = sizeAnnotations(synced.deployment);
  const before = new Set<unknown>(allSets(rollout));
  return allSets(synced).flatMap((set): Write[] => {
    const resize = resizes.find((one) => one.set === set);
    const to = resize?.to ?? sizeOf(set);
    const isResized = to !== sizeOf(set);
    const isMarked = isResized || (isProportional && resize !== undefined);
    const marked = isMarked ? withAnnotations(set, annotations) : set;
    const object = isResized ? { ...marked, spec: { ...marked.spec, replicas: to } } : marked;
    if (before.has(object)) return [];
    const event = scalingEvent(synced.deployment, set, sizeOf(set), to);
    return [{ verb: 'update', kind: kinds.replicaSet, object, ...(event && { event }) }];
  });
}

/** A set that loses unhealthy pods and then healthy ones is scaled twice, as its generation shows. */
export function secondWrites({ deployment }: Rollout, resizes: readonly Resize[]): Write[] {
  return resizes.flatMap((resize): Write[] => {
    const first = resizes.find(({ set }) => set === resize.set);
    if (first === undefined || first === resize) return [];
    const { namespace, name = '', uid = '' } = resize.set.metadata;
    const patch = { metadata: { uid }, spec: { replicas: resize.to } };
    const event = scalingEvent(deployment, resize.set, first.to, resize.to);
    return [{ verb: 'patch', kind: kinds.replicaSet, key: { namespace, name }, patch, ...(event && { event }) }];
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

/** Undefined if the size stays the same. */
export function scalingEvent(
  deployment: Readonly<Deployment>,
  set: Readonly<ReplicaSet>,
  from: number,
  to: number,
): PlannedEvent | undefined {
  if (from === to) return undefined;
  const direction = from < to ? 'up' : 'down';
  const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`;
  return { about: deployment, type: 'Normal', reason: 'ScalingReplicaSet', message };
}
