import { jsonEquals } from '@flotilla/kube';
import type { PodSpec, Toleration } from '../kinds.ts';

/** Pods of DaemonSets stay on nodes with problems. */
const toleratedTaints: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];
const networkUnavailable = ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const;

/** The tolerations of a DaemonSet's pods: those of its template and those that Kubernetes adds. */
export function daemonTolerations(spec: Readonly<PodSpec> | undefined): Toleration[] {
  const taints = spec?.hostNetwork === true ? [...toleratedTaints, networkUnavailable] : toleratedTaints;
  let tolerations = [...(spec?.tolerations ?? [])];
  for (const [key, effect] of taints) tolerations = added(tolerations, { key, operator: 'Exists', effect });
  return tolerations;
}

/** One that differs only in its seconds is replaced. */
function added(tolerations: Toleration[], added: Toleration): Toleration[] {
  const isAlike = ({ key, operator, effect, value = '' }: Toleration): boolean =>
    key === added.key && operator === added.operator && effect === added.effect && value === '';
  if (!tolerations.some(isAlike)) return [...tolerations, added];
  if (tolerations.some((toleration) => jsonEquals(toleration, added))) return tolerations;
  return tolerations.map((toleration) => (isAlike(toleration) ? added : toleration));
}
