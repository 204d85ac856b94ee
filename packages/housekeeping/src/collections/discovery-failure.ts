import { apiVersionOf } from '@flotilla/kube';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** What Kubernetes says when the servers of some groups cannot be asked what they have; undefined when all could. */
export function discoveryFailure(stale: readonly GroupVersion[]): string | undefined {
  if (stale.length === 0) return undefined;
  const faults = stale.map(apiVersionOf).map((name) => `${name}: stale GroupVersion discovery: ${name}`);
  const all = `unable to retrieve the complete list of server APIs: ${faults.toSorted().join(', ')}`;
  return `Discovery failed for some groups, ${stale.length} failing: ${all}`;
}
