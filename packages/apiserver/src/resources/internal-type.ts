/** Go's name of a kind's internal type, which some sentences of Kubernetes show: `apps.Deployment`. */
export function internalType(group: string, kind: string): string {
  // Both kinds of events are one inside.
  if (group === '' || group === 'events.k8s.io') return `core.${kind}`;
  const [word = group] = group.split('.', 1);
  return `${word}.${kind}`;
}
