/** Pods of a StatefulSet have names with an ordinal: `web-0`, `web-1`. */
import type { KubeObject } from '@flotilla/kube';
import type { Pod, StatefulSet } from '../kinds.ts';

const numberedName = /^(.+)-(0|[1-9]\d{0,9})$/;
const maxOrdinal = 2 ** 31 - 1;

export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
export const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';

export interface NumberedName {
  /** Before the ordinal. */
  readonly stem: string;
  readonly ordinal: number;
}

export function parseNumberedName(name: string): NumberedName | undefined {
  const [, stem, digits] = numberedName.exec(name) ?? [];
  const ordinal = Number(digits);
  return stem === undefined || ordinal > maxOrdinal ? undefined : { stem, ordinal };
}

/** The pod's ordinal in the set; undefined if its name is not one of the set's. */
export function ordinalOf(pod: Readonly<KubeObject>, { metadata }: Readonly<StatefulSet>): number | undefined {
  const parsed = parseNumberedName(pod.metadata.name ?? '');
  return parsed?.stem === metadata.name ? parsed?.ordinal : undefined;
}

export function firstOrdinal({ spec }: Readonly<StatefulSet>): number {
  return spec?.ordinals?.start ?? 0;
}

export function lastOrdinal(set: Readonly<StatefulSet>): number {
  return firstOrdinal(set) + (set.spec?.replicas ?? 1) - 1;
}

export function isInRange(ordinal: number, set: Readonly<StatefulSet>): boolean {
  return ordinal >= firstOrdinal(set) && ordinal <= lastOrdinal(set);
}

export function revisionOf({ metadata }: Readonly<Pod>): string {
  return metadata.labels?.[revisionLabel] ?? '';
}
