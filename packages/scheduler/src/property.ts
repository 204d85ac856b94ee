/** Properties of a cluster, by the names that policies use. */
import { resourcePropertyPrefix, type MemberCluster, type ResourceUsage } from '@flotilla/api';

const usageByWord: ReadonlyMap<string, keyof ResourceUsage & ('capacity' | 'allocatable' | 'available')> = new Map([
  ['total', 'capacity'],
  ['allocatable', 'allocatable'],
  ['available', 'available'],
]);

/** What is wrong with the name; undefined if clusters can have such a property. */
export function propertyNameProblem(name: string): string | undefined {
  if (!name.startsWith(resourcePropertyPrefix) || resourceOf(name) !== undefined) return undefined;
  return `property ${name} must be ${resourcePropertyPrefix} followed by total, allocatable or available, a dash and a resource`;
}

/** The reported value as text; undefined if the cluster does not report the property. */
export function propertyText({ status }: Readonly<MemberCluster>, name: string): string | undefined {
  if (!name.startsWith(resourcePropertyPrefix)) {
    const properties = status?.properties ?? {};
    return Object.hasOwn(properties, name) ? properties[name]?.value : undefined;
  }
  const wanted = resourceOf(name);
  if (wanted === undefined) return undefined;
  const amounts = status?.resourceUsage?.[wanted.usage] ?? {};
  return Object.hasOwn(amounts, wanted.resource) ? String(amounts[wanted.resource]) : undefined;
}

/** Splits at the first dash. KubeFleet's scheduler stops at names of resources with a dash, such as ephemeral-storage. */
function resourceOf(name: string) {
  const [, word = '', resource = ''] = /^(\w+)-(.+)$/s.exec(name.slice(resourcePropertyPrefix.length)) ?? [];
  const usage = usageByWord.get(word);
  return usage === undefined ? undefined : { usage, resource };
}
