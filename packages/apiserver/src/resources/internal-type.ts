import { quote, type GroupKind } from '@flotilla/kube';

/** The internal kind of Kubernetes, which errors name: both kinds of events have the same. */
export function internalKind({ group, kind }: GroupKind): GroupKind {
  return { kind, group: group === 'events.k8s.io' ? '' : group };
}

/** Go's name of the internal type, which some messages of Kubernetes contain: `apps.Deployment`. */
export function internalType(group: string, kind: string): string {
  const inside = internalKind({ group, kind }).group;
  const [word = inside] = inside.split('.', 1);
  return `${word || 'core'}.${kind}`;
}

/** Kubernetes' message for a kind that no built-in group version has. */
export function unregisteredKind(apiVersion: string, kind: string): string {
  const scheme = 'in scheme "pkg/api/legacyscheme/scheme.go:30"';
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} ${scheme}`;
}
