import { stringifyJson, type GroupVersionKind, type JsonObject, onceFor } from '@flotilla/kube';
import type { ServedSubresource } from '@flotilla/builtins';
import type { Resource } from '../resources/resource.ts';
import { verbsOf, type Group, type GroupVersion } from './legacy.ts';

const listMeta = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} };

/** All groups in one document (apidiscovery.k8s.io/v2). */
export function aggregatedDiscovery(groups: readonly Group[]): JsonObject {
  return {
    ...listMeta,
    items: groups.map(({ name, versions }) => ({ metadata: groupMeta(name), versions: versions.map(versionEntry) })),
  };
}

/**
 * The same as text, concatenated from cached texts: among a thousand groups, only a changed one is encoded again.
 */
export function aggregatedText(groups: readonly Group[]): string {
  const items = groups.map(({ name, versions }) => {
    return `{"metadata":${stringifyJson(groupMeta(name))},"versions":[${versions.map(versionText).join(',')}]}`;
  });
  return `${stringifyJson(listMeta).slice(0, -1)},"items":[${items.join(',')}]}`;
}

export const versionText = onceFor((version: GroupVersion) => stringifyJson(versionEntry(version)));

function groupMeta(name: string): JsonObject {
  return name === '' ? {} : { name };
}

function versionEntry({ version, resources, isStale = false }: GroupVersion): JsonObject {
  if (isStale) return { version, freshness: 'Stale' };
  return { version, resources: resources.map(resourceEntry), freshness: 'Current' };
}

function resourceEntry(resource: Resource): JsonObject {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.plural,
    responseKind: responseKind(resource, resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: verbsOf(resource),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => subresourceEntry(resource, subresource)),
    }),
  };
}

function subresourceEntry(resource: Resource, subresource: ServedSubresource): JsonObject {
  const { name, verbs } = subresource;
  return { subresource: name, responseKind: responseKind(resource, subresource), verbs: [...verbs] };
}

/** Built-in resources omit the group and version that the list has. Custom resources repeat them. */
function responseKind(resource: Resource, { group, version, kind }: GroupVersionKind): JsonObject {
  const isOfList = !resource.isUnstructured && group === resource.group && version === resource.version;
  return isOfList ? { group: '', version: '', kind } : { group, version, kind };
}
