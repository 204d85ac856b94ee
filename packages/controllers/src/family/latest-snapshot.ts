/** Which snapshot of a placement or an override counts. */
import { latestLabel, resourceHashAnnotation, resourceIndexLabel, type ResourceSnapshot } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';

export function isLatest({ metadata: { labels = {} } }: Readonly<KubeObject>): boolean {
  return Object.hasOwn(labels, latestLabel) && labels[latestLabel] === 'true';
}

/** Whether it is the first resource snapshot of its group. Only that one has the hash of the group. */
export function isMaster({ metadata: { annotations = {} } }: Readonly<ResourceSnapshot>): boolean {
  return Object.hasOwn(annotations, resourceHashAnnotation) && annotations[resourceHashAnnotation] !== '';
}

/** The first resource snapshot of the latest group. */
export function latestMasterOf(
  snapshots: readonly Readonly<ResourceSnapshot>[],
): Readonly<ResourceSnapshot> | undefined {
  return snapshots.find((snapshot) => isLatest(snapshot) && isMaster(snapshot));
}

/** The number in a label, as users may have changed it; undefined if it is not a number. */
export function indexIn({ metadata: { labels = {} } }: Readonly<KubeObject>, label: string): number | undefined {
  const text = Object.hasOwn(labels, label) ? labels[label] : undefined;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The snapshots of one group, in any order. */
export function groupOf(
  master: Readonly<ResourceSnapshot>,
  snapshots: readonly Readonly<ResourceSnapshot>[],
): readonly Readonly<ResourceSnapshot>[] {
  const index = indexIn(master, resourceIndexLabel);
  return snapshots.filter((snapshot) => indexIn(snapshot, resourceIndexLabel) === index);
}
