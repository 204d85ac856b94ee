import type { KubeObject } from '@flotilla/kube';
import { setPodCondition } from './pod-condition.ts';
import type { PodFields } from './pod-fields.ts';
import { putAllSorted } from '../sorted-map.ts';

export interface BindingFields extends KubeObject {
  target: { name: string };
}

/** Assigns a pod to a node. The answer is why that is a conflict, if it is; the pod is untouched then. */
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
