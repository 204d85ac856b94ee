import { propertyNames, type MemberCluster, type ReportedClaim } from '@flotilla/api';
import { compareBytes } from '@flotilla/kube';

export function propertyOf({ status }: Readonly<MemberCluster>, name: string): string | undefined {
  const properties = status?.properties ?? {};
  return Object.hasOwn(properties, name) ? properties[name]?.value : undefined;
}

/** The claim that OCM's agents report for the version of Kubernetes. */
const versionClaim = 'kubeversion.open-cluster-management.io';

/** The properties of a member as claims, in the order of their names. What a claim cannot hold is left out. */
export function claimsOf(member: Readonly<MemberCluster>): ReportedClaim[] {
  const version = propertyOf(member, propertyNames.kubernetesVersion);
  const properties = Object.entries(member.status?.properties ?? {}).map(([name, { value }]) => ({ name, value }));
  const hasVersionClaim = version === undefined || properties.some(({ name }) => name === versionClaim);
  return [...properties, ...(hasVersionClaim ? [] : [{ name: versionClaim, value: version }])]
    .filter(({ name, value }) => isWithin(name, 253) && isWithin(value, 1024))
    .sort((a, b) => compareBytes(a.name, b.name));
}

function isWithin(text: string, limit: number): boolean {
  return text.length > 0 && text.length <= limit;
}
