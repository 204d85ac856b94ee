import { apiVersionOf } from '@flotilla/kube';
import { groupVersionRows } from './resources/resource-rows.ts';
import { groupVersionFrom, type ServedGroupVersion, type ServedResource } from './resources/served-resource.ts';

/** By descending priority of group, then of version: the order of discovery. */
export const servedGroupVersions: readonly ServedGroupVersion[] = groupVersionRows.map(groupVersionFrom);

/** Every resource of the built-in kinds, in the order of discovery. */
export const servedResources: readonly ServedResource[] = servedGroupVersions.flatMap(({ resources }) => resources);

const byPlace = new Map(servedResources.map((resource) => [placeOf(resource), resource]));

export function findResource(group: string, version: string, plural: string): ServedResource | undefined {
  return byPlace.get(placeOf({ group, version, plural }));
}

function placeOf({ plural, ...groupVersion }: { group: string; version: string; plural: string }): string {
  return `${apiVersionOf(groupVersion)}/${plural}`;
}
