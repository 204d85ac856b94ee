/**
 * Which snapshot of a placement or an override counts. A new snapshot replaces the old one in two writes: the old one loses its label,
 * then the new one is created. Between the two no snapshot has the label, and the old one still counts. See
 * docs/adr/0024-the-latest-snapshot.md.
 */
import { latestLabel, policyIndexLabel, resourceHashAnnotation, resourceIndexLabel } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';

export function isLatest({ metadata: { labels = {} } }: Readonly<KubeObject>): boolean {
  return Object.hasOwn(labels, latestLabel) && labels[latestLabel] === 'true';
}

/** Whether it is the first resource snapshot of its group. Only that one has the hash of the group. */
export function isMaster({ metadata: { annotations = {} } }: Readonly<KubeObject>): boolean {
  return Object.hasOwn(annotations, resourceHashAnnotation) && annotations[resourceHashAnnotation] !== '';
}

/** The first resource snapshot of the latest group. */
export function latestMasterOf<T extends KubeObject>(snapshots: readonly Readonly<T>[]): Readonly<T> | undefined {
  return latestOf(snapshots.filter(isMaster), resourceIndexLabel);
}

export function latestPolicySnapshotOf<T extends KubeObject>(
  snapshots: readonly Readonly<T>[],
): Readonly<T> | undefined {
  return latestOf(snapshots, policyIndexLabel);
}

/** The newest of those with the label; if none has it, the newest of all. One without an index counts only if it has the label and all others have no index either. */
export function latestOf<T extends KubeObject>(
  snapshots: readonly Readonly<T>[],
  indexLabel: string,
): Readonly<T> | undefined {
  const labelled = snapshots.filter(isLatest);
  return newestOf(labelled, indexLabel) ?? newestOf(snapshots, indexLabel) ?? labelled[0];
}

function newestOf<T extends KubeObject>(snapshots: readonly Readonly<T>[], label: string): Readonly<T> | undefined {
  let newest: Readonly<T> | undefined;
  let newestIndex = -1;
  for (const snapshot of snapshots) {
    const index = indexIn(snapshot, label) ?? -1;
    if (index <= newestIndex) continue;
    newest = snapshot;
    newestIndex = index;
  }
  return newest;
}

/** The number in a label, as users may have changed it; undefined if it is not a number. */
export function indexIn({ metadata: { labels = {} } }: Readonly<KubeObject>, label: string): number | undefined {
  const text = Object.hasOwn(labels, label) ? labels[label] : undefined;
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The snapshots of one group, in any order. */
export function groupOf<T extends KubeObject>(
  master: Readonly<KubeObject>,
  snapshots: readonly Readonly<T>[],
): readonly Readonly<T>[] {
  const index = indexIn(master, resourceIndexLabel);
  return snapshots.filter((snapshot) => indexIn(snapshot, resourceIndexLabel) === index);
}
