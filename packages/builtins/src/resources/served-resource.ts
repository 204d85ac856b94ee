import { createHash } from 'node:crypto';
import { qualified } from '@flotilla/kube';
import { groupVersionRows } from './resource-rows.ts';

/** A resource as discovery describes it, and where its objects are stored. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** In the order of discovery. */
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Absent if nothing is stored. */
  readonly storage?: ResourceStorage;
}

export interface ServedSubresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

interface ResourceStorage {
  /** Shared by all versions of a kind. */
  readonly collection: string;
  /** kube-apiserver's path in etcd, after `/registry/`. Some errors print it. */
  readonly registryPrefix: string;
  /** The apiVersion that kube-apiserver stores objects in. */
  readonly group: string;
  readonly version: string;
  readonly versionHash: string;
}

export interface ServedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Discovery lists groups, and a group's versions, by descending priority. */
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly resources: readonly ServedResource[];
}

export interface GroupVersionRow extends Omit<ServedGroupVersion, 'resources'> {
  readonly resources: readonly ResourceRow[];
}

/** What does not follow from the resource's names. */
export interface ResourceRow {
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly subresources?: readonly SubresourceRow[];
  readonly isVirtual?: boolean;
  readonly registryPrefix?: string;
  /** Set if another version of the kind is the stored one. */
  readonly storedAs?: { readonly group: string; readonly version: string };
}

export interface SubresourceRow {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
}

const allVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

function groupVersionFrom(row: GroupVersionRow): ServedGroupVersion {
  return { ...row, resources: row.resources.map((resource) => resourceFrom(resource, row)) };
}

function resourceFrom(row: ResourceRow, { group, version }: GroupVersionRow): ServedResource {
  const { plural, kind, namespaced } = row;
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    namespaced,
    shortNames: row.shortNames ?? [],
    categories: row.categories ?? [],
    verbs: row.verbs ?? allVerbs,
    subresources: (row.subresources ?? []).map((subresource) => ({ group, version, kind, ...subresource })),
    ...(!row.isVirtual && { storage: storageOf(row, row.storedAs ?? { group, version }) }),
  };
}

function storageOf(
  { plural, kind, registryPrefix }: ResourceRow,
  stored: { group: string; version: string },
): ResourceStorage {
  return {
    ...stored,
    collection: qualified(plural, stored.group),
    registryPrefix: registryPrefix ?? plural,
    versionHash: storageVersionHash(stored.group, stored.version, kind),
  };
}

/** Clients compare this hash to detect a change of the stored version. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}

/** By descending priority of group, then of version: the order of discovery. */
export const servedGroupVersions: readonly ServedGroupVersion[] = groupVersionRows.map(groupVersionFrom);

/** Every resource of the built-in kinds, in the order of discovery. */
export const servedResources: readonly ServedResource[] = servedGroupVersions.flatMap(({ resources }) => resources);
