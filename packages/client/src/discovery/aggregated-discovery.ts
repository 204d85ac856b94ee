import { isJsonObject, textOf, type JsonObject } from '@flotilla/kube';
import { objectsIn, textsIn, type DiscoveredKind, type DiscoveredKinds, type GroupVersion } from './discovered-kind.ts';

const aggregatedForms = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);

/** Servers without aggregated discovery answer with the legacy documents. */
export const aggregatedAccept = [...aggregatedForms, 'application/json'].join(',');

export function isAggregated(contentType: string | undefined): boolean {
  return contentType?.includes('as=APIGroupDiscoveryList') === true;
}

/** apidiscovery.k8s.io: all kinds in one document. */
export function aggregatedKinds(document: JsonObject): DiscoveredKinds {
  const versions = objectsIn(document['items']).flatMap((item) => {
    const group = isJsonObject(item['metadata']) ? textOf(item['metadata']['name']) : '';
    return objectsIn(item['versions']).map((entry) => ({ group, version: textOf(entry['version']), entry }));
  });
  return {
    kinds: versions.flatMap(({ group, version, entry }) =>
      objectsIn(entry['resources']).flatMap((resource) => kindsIn(resource, { group, version })),
    ),
    stale: versions
      .filter(({ entry }) => entry['freshness'] === 'Stale')
      .map(({ group, version }) => ({ group, version })),
  };
}

/** A resource that exists only for its subresources has no kind. */
function kindsIn(resource: JsonObject, { group, version }: GroupVersion): DiscoveredKind[] {
  const { responseKind } = resource;
  if (!isJsonObject(responseKind)) return [];
  return [
    {
      group,
      version,
      kind: textOf(responseKind['kind']),
      plural: textOf(resource['resource']),
      namespaced: resource['scope'] === 'Namespaced',
      singular: textOf(resource['singularResource']),
      shortNames: textsIn(resource['shortNames']),
      categories: textsIn(resource['categories']),
      verbs: textsIn(resource['verbs']),
      subresources: objectsIn(resource['subresources']).map((subresource) => ({
        name: textOf(subresource['subresource']),
        verbs: textsIn(subresource['verbs']),
      })),
    },
  ];
}
