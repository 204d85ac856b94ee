/** The annotations by which a Deployment and its ReplicaSets know each other. */
import type { KubeObject } from '@flotilla/kube';
import type { Deployment, ReplicaSet } from '../kinds.ts';
import { desiredReplicas, maxSurge } from './limits.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

/** A ReplicaSet gets the other annotations of its Deployment. */
const notCopied = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
]);

/** Longer histories lose their oldest revisions. */
const maxHistoryLength = 2000;

const maxInt32 = 2_147_483_647;

type Annotations = Readonly<Record<string, string>>;

export function annotationOf({ metadata }: Readonly<KubeObject>, name: string): string | undefined {
  const { annotations } = metadata;
  return annotations !== undefined && Object.hasOwn(annotations, name) ? annotations[name] : undefined;
}

/** 0 without a revision, undefined if it is no int64. */
export function revisionOf(object: Readonly<KubeObject>): bigint | undefined {
  return parseRevision(annotationOf(object, revisionAnnotation) ?? '0');
}

export function parseRevision(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,19}$/.test(text)) return undefined;
  const revision = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** The revision after those of the sets. Adopted sets may have any int64, so that a number would lose digits. */
export function nextRevision(sets: readonly Readonly<ReplicaSet>[]): bigint {
  const highest = sets.map((set) => revisionOf(set) ?? 0n).reduce((a, b) => (a > b ? a : b), 0n);
  return BigInt.asIntN(64, highest + 1n);
}

/** The size that the Deployment had when it last scaled this set. */
export function desiredReplicasOf(set: Readonly<ReplicaSet>): number | undefined {
  return countIn(annotationOf(set, desiredAnnotation));
}

/** The pods that the Deployment could have when it last scaled this set. */
export function maxReplicasOf(set: Readonly<ReplicaSet>): number | undefined {
  return countIn(annotationOf(set, maxAnnotation));
}

function countIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count <= maxInt32 ? count : undefined;
}

export function sizeAnnotations(deployment: Readonly<Deployment>): Annotations {
  const desired = desiredReplicas(deployment);
  return { [desiredAnnotation]: String(desired), [maxAnnotation]: String(desired + maxSurge(deployment)) };
}

/** The annotations of the Deployment's newest set, which has this revision or a higher one. */
export function newSetAnnotations(
  deployment: Readonly<Deployment>,
  present: Annotations | undefined,
  revision: bigint,
): Annotations {
  const before = present ?? {};
  const earlier = Object.hasOwn(before, revisionAnnotation) ? before[revisionAnnotation] : undefined;
  const current = parseRevision(earlier ?? '0');
  if (current === undefined) return before;
  const annotations = { ...before, ...copiedAnnotations(deployment) };
  if (current >= revision) return annotations;
  annotations[revisionAnnotation] = String(revision);
  if (earlier !== undefined) annotations[historyAnnotation] = withRevision(before[historyAnnotation] ?? '', earlier);
  return annotations;
}

export function copiedAnnotations({ metadata }: Readonly<KubeObject>): Annotations {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name)));
}

/** A Deployment that returns to this set gets its annotations back. */
export function annotationsAfterRollback(deployment: Readonly<Deployment>, set: Readonly<ReplicaSet>): Annotations {
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => notCopied.has(name));
  return { ...Object.fromEntries(kept), ...copiedAnnotations(set) };
}

/** The revisions that a set had before it was used again. */
function withRevision(history: string, revision: string): string {
  if (history === '' || history.startsWith(',')) return revision;
  const revisions = history.split(',');
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > maxHistoryLength && start < revisions.length; start++) length -= (revisions[start] ?? '').length + 1;
  return length <= maxHistoryLength ? [...revisions.slice(start), revision].join(',') : history;
}
