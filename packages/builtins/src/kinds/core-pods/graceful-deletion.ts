import type { Int64, PodFields } from './pod-fields.ts';

/**
 * How many seconds a pod has to stop: what the request asks for, else what the pod does. A pod that runs nowhere, or
 * no more, needs none; less than none is a mistake that has always meant one.
 */
export function podGracePeriod({ spec, status }: PodFields, requested: Int64 | undefined): Int64 {
  if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
