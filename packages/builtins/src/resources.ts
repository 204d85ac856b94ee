import { groupVersionRows } from './resources/resource-rows.ts';
import { groupVersionFrom, type ServedGroupVersion, type ServedResource } from './resources/served-resource.ts';

/** By descending priority of group, then of version: the order of discovery. */
export const servedGroupVersions: readonly ServedGroupVersion[] = groupVersionRows.map(groupVersionFrom);

/** Every resource of the built-in kinds, in the order of discovery. */
export const servedResources: readonly ServedResource[] = servedGroupVersions.flatMap(({ resources }) => resources);
