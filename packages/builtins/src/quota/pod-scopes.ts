/** The scopes of quotas that select pods. */
import type { KubeObject } from '@flotilla/kube';
import type {
  AffinityFields,
  PodAffinityFields,
  PodAffinityTermFields,
  PodFields,
} from '../kinds/core-pods/pod-fields.ts';
import { qosClassOf } from '../kinds/core-pods/pod-qos.ts';
import type { ScopeRequirement } from '../kinds/core/resource-quota.ts';
import { matchesValue } from './scope-values.ts';

export function podMatchesScope(requirement: ScopeRequirement, object: KubeObject): boolean {
  const pod = object as PodFields;
  switch (requirement.scopeName) {
    case 'Terminating':
      return isTerminatingPod(pod);
    case 'NotTerminating':
      return !isTerminatingPod(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesValue(requirement, pod.spec.priorityClassName);
    case 'CrossNamespacePodAffinity':
      return refersToOtherNamespaces(pod.spec.affinity);
    default:
      return false;
  }
}

/** Whether the pod has a deadline. */
export function isTerminatingPod(object: KubeObject): boolean {
  return Number((object as PodFields).spec.activeDeadlineSeconds ?? -1) >= 0;
}

function isBestEffort(pod: PodFields): boolean {
  const { status } = pod as Partial<PodFields>;
  return (status?.qosClass || qosClassOf(pod)) === 'BestEffort';
}

function refersToOtherNamespaces({ podAffinity, podAntiAffinity }: AffinityFields = {}): boolean {
  return [podAffinity, podAntiAffinity].some((affinity) => termsOf(affinity).some(namesNamespaces));
}

function termsOf(affinity: PodAffinityFields = {}): readonly PodAffinityTermFields[] {
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(affinity.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
  ];
}

function namesNamespaces({ namespaces, namespaceSelector }: PodAffinityTermFields): boolean {
  return (namespaces ?? []).length > 0 || (namespaceSelector ?? undefined) !== undefined;
}
