import { apiVersionOf, type JsonObject, onceFor } from '@flotilla/kube';
import type { RegisteredGroup, RegisteredVersion, Registry } from '../resources/registry.ts';
import type { ServedSubresource } from '@flotilla/builtins';
import type { Resource } from '../resources/resource.ts';

export interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

/** The same object until something in this version changes. */
export interface GroupVersion extends RegisteredVersion {
  /** Served by another server, which this one does not query. */
  readonly isStale?: boolean;
}

/** Groups and versions in the registry's order, with the resources that discovery lists. */
export function groupsOf(registry: Registry): Group[] {
  return listedGroups(registry.groups());
}

export function listedGroups(registered: Iterable<RegisteredGroup>): Group[] {
  return Iterator.from(registered)
    .map(listed)
    .filter(({ versions }) => versions.length > 0)
    .toArray();
}

/** One group, found without iterating over the others. */
export function listedGroup(registry: Registry, name: string): Group | undefined {
  const group = listed(registry.group(name));
  return group.versions.length > 0 ? group : undefined;
}

function listed({ name, versions }: RegisteredGroup): Group {
  return { name, versions: versions.map(listedVersion).filter(({ resources }) => resources.length > 0) };
}

const listedVersion = onceFor(({ version, resources, changes }: RegisteredVersion): GroupVersion => {
  return { version, resources: resources.filter(isListed), changes };
});

function isListed({ discoveryVerbs }: Resource): boolean {
  return discoveryVerbs === undefined || discoveryVerbs() !== undefined;
}

export function verbsOf({ verbs, discoveryVerbs }: Resource): string[] {
  return [...(discoveryVerbs?.() ?? verbs)];
}

export function apiGroupList(groups: readonly Group[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

export function apiGroup(group: Group): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry({ name, versions }: Group): JsonObject {
  const entries = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: entries, ...(entries[0] && { preferredVersion: entries[0] }) };
}

export function apiResourceList(groupVersion: string, resources: readonly Resource[]): JsonObject {
  return {
    kind: 'APIResourceList',
    // The first release had no apiVersion here, and the core group still has none.
    ...(groupVersion !== 'v1' && { apiVersion: 'v1' }),
    groupVersion,
    resources: resources.flatMap((resource) => [
      resourceEntry(resource),
      ...resource.subresources.map((subresource) => subresourceEntry(resource, subresource)),
    ]),
  };
}

function resourceEntry(resource: Resource): JsonObject {
  const { shortNames, categories, storageVersionHash } = resource;
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(storageVersionHash && { storageVersionHash }),
  };
}

function subresourceEntry(resource: Resource, { name, group, version, kind, verbs }: ServedSubresource): JsonObject {
  const isOtherGroupVersion = group !== resource.group || version !== resource.version;
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(isOtherGroupVersion && { ...(group && { group }), version }),
    kind,
    verbs: [...verbs],
  };
}
