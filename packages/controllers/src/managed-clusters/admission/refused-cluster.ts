/** What OCM's admission refuses in a ManagedCluster, in its words. */
import { clusterSetLabel, ocmGroup, type ManagedCluster } from '@flotilla/api';
import { nameIsDnsLabel, quote } from '@flotilla/kube';

/** A right that the caller must have, and the refusal if it lacks it. */
export interface RequiredRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly refusal: string;
}

/** Why the object is invalid; undefined if it is not. OCM checks the name only of clusters with an address. */
export function invalidCluster({ metadata, spec }: Readonly<ManagedCluster>): string | undefined {
  const configs = spec?.managedClusterClientConfigs ?? [];
  if (configs.length === 0) return undefined;
  const nameProblems = nameIsDnsLabel(metadata.name ?? '', false);
  const problems = [
    ...(nameProblems.length > 0 ? [`metadata.name format is not correct: ${nameProblems.join(',')}`] : []),
    ...configs.filter(({ url }) => !isHttps(url)).map(({ url }) => `url ${quote(url)} is invalid in client configs`),
  ];
  return problems.length > 0 ? problems.join('\n') : undefined;
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && /^https:\/\/[^/]/i.test(text);
}

export function isNewlyAccepted(
  { spec }: Readonly<ManagedCluster>,
  old: Readonly<ManagedCluster> | undefined,
): boolean {
  return spec?.hubAcceptsClient === true && old?.spec?.hubAcceptsClient !== true;
}

/** The refusal of a cluster whose namespace is being deleted. */
export function terminatingNamespace(name: string): string {
  return forbidden('managedclusters/accept', name, `cluster namespace ${quote(name)} is terminating`);
}

export function rightToAccept(name: string, user: string): RequiredRight {
  return {
    verb: 'update',
    group: 'register.open-cluster-management.io',
    resource: 'managedclusters',
    subresource: 'accept',
    name,
    refusal: forbidden('managedclusters/accept', name, `user ${quote(user)} cannot update the HubAcceptsClient field`),
  };
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/** The rights to both sets, if the label moves the cluster from one to another. */
export function rightsToJoin(now: Labelled, old: Labelled | undefined, user: string): RequiredRight[] {
  const [before, after] = [clusterSetOf(old), clusterSetOf(now)];
  if (before === after) return [];
  return [before, after].filter((set) => set !== '').map((set) => rightToSet('join', set, joinRefusal(set, user)));
}

function joinRefusal(set: string, user: string): string {
  return `user ${quote(user)} cannot add/remove a ManagedCluster to/from ManagedClusterSet ${quote(set)}`;
}

export function rightToBind(set: string, user: string): RequiredRight {
  return rightToSet('bind', set, `user ${quote(user)} is not allowed to bind cluster set ${quote(set)}`);
}

function rightToSet(subresource: 'join' | 'bind', name: string, why: string): RequiredRight {
  const refusal = forbidden(`managedclustersets/${subresource}`, name, why);
  return { verb: 'create', group: ocmGroup, resource: 'managedclustersets', subresource, name, refusal };
}

function clusterSetOf(object: Labelled | undefined): string {
  return object?.metadata.labels?.[clusterSetLabel] ?? '';
}

function forbidden(resource: string, name: string, why: string): string {
  return `${resource}.${ocmGroup} ${quote(name)} is forbidden: ${why}`;
}
