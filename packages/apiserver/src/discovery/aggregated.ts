import type { JsonObject } from '@flotilla/kube';
import type { ServedSubresource } from '@flotilla/builtins';
import type { Resource } from '../resources/resource.ts';
import { verbsOf, type Group } from './legacy.ts';

/** Everything in one document (apidiscovery.k8s.io/v2). */
export function aggregatedDiscovery(groups: readonly Group[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: resources.map(resourceEntry),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceEntry(resource: Resource): JsonObject {
  const { kind, shortNames, categories, subresources } = resource;
  return {
    resource: resource.plural,
    // Empty group and version mean those of the list.
    responseKind: { group: '', version: '', kind },
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

function subresourceEntry(resource: Resource, { name, group, version, kind, verbs }: ServedSubresource): JsonObject {
  const isOwn = group === resource.group && version === resource.version;
  const responseKind = isOwn ? { group: '', version: '', kind } : { group, version, kind };
  return { subresource: name, responseKind, verbs: [...verbs] };
}
