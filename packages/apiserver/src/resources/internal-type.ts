import type { GroupKind } from '@flotilla/kube';

/** The kind that Kubernetes validates, and names in refusals: both kinds of events are one inside. */
export function internalKind({ group, kind }: GroupKind): GroupKind {
  return { kind, group: group === 'events.k8s.io' ? '' : group };
}

/** Go's name of a kind's internal type, which some sentences of Kubernetes show: `apps.Deployment`. */
export function internalType(group: string, kind: string): string {
  const inside = internalKind({ group, kind }).group;
  const [word = inside] = inside.split('.', 1);
  return `${word || 'core'}.${kind}`;
}
