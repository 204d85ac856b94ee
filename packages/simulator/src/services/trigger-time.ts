import type { KubeObject } from '@flotilla/kube';
import type { Pod } from '../kinds.ts';
import type { Service } from '../network-kinds.ts';
import { readinessTime } from './pod-endpoint.ts';

const annotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/**
 * The time of the change that a write of endpoints publishes: the first write publishes the Service, later ones the pods whose readiness
 * changed. Undefined if another change is the reason.
 */
export function triggerTime(
  { metadata }: Readonly<Service>,
  { isFirst, changed }: { readonly isFirst: boolean; readonly changed: readonly Readonly<Pod>[] },
): string | undefined {
  if (isFirst) return metadata.creationTimestamp ?? undefined;
  return changed.flatMap((pod) => readinessTime(pod) ?? []).sort()[0];
}

/** The annotations of the object, with the time or without it. */
export function annotationsWith(time: string | undefined, { metadata }: Readonly<KubeObject>): Record<string, string> {
  const { [annotation]: _, ...others } = metadata.annotations ?? {};
  return time === undefined ? others : { ...others, [annotation]: time };
}
