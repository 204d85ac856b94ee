import type { KubeObject } from '@flotilla/kube';
import { putAllSorted } from '../sorted-map.ts';
import type { Int64, PodConditionFields, PodFields } from './pod-fields.ts';

export interface BindingFields extends KubeObject {
  target: { name: string };
}

/** Assigns a pod to a node. Returns the reason of a conflict; the pod is unchanged then. */
export function bindPod(pod: PodFields, { metadata, target }: BindingFields, now: Date): string | undefined {
  const name = pod.metadata.name ?? '';
  if (pod.metadata.deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  if (pod.spec.nodeName) return `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`;
  if (pod.spec.schedulingGates?.length) return `pod ${name} has non-empty .spec.schedulingGates`;
  pod.spec.nodeName = target.name;
  delete pod.status.nominatedNodeName;
  for (const field of ['annotations', 'labels'] as const) {
    if (metadata[field]) putAllSorted((pod.metadata[field] ??= {}), Object.entries(metadata[field]));
  }
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, now);
  return undefined;
}

/** Adds or replaces a condition. Its transition time changes only with its status. */
export function setPodCondition({ status }: PodFields, condition: PodConditionFields, now: Date): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  const lastTransitionTime =
    before?.status === condition.status ? (before['lastTransitionTime'] ?? null) : `${now.toISOString().slice(0, 19)}Z`;
  const { type, status: is, ...reasons } = condition;
  const after: PodConditionFields = { type, status: is, lastProbeTime: null, lastTransitionTime, ...reasons };
  if (index === -1) conditions.push(after);
  else conditions[index] = after;
}

/**
 * The grace period in seconds: that of the request, else that of the pod. A pod that does not run needs none.
 * Kubernetes treats negative values as one.
 */
export function podGracePeriod({ spec, status }: PodFields, requested: Int64 | undefined): Int64 {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
