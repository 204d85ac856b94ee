/**
 * Legal requests of up to 3 MiB that are heavy for a server: every verb and every format, accepted and refused. The figure
 * `stall` sends them one after another. The server needs the default service account, or no ServiceAccount admission.
 */
import { hubDefinitions } from '@flotilla/api';
import { clusterObjectRequests } from './cluster-objects.ts';
import { configMapRequests } from './config-maps.ts';
import { customObjectRequests, widgetDefinition } from './custom-objects.ts';
import { post, type HeavyRequest, type Step } from './heavy-request.ts';
import { workloadRequests } from './workloads.ts';

export type { HeavyRequest, Step } from './heavy-request.ts';

export const heavyRequests: readonly HeavyRequest[] = [
  ...configMapRequests,
  ...workloadRequests,
  ...clusterObjectRequests,
  ...customObjectRequests,
];

/** Creates the CRDs that the requests need. Sent first; 409 means that the server has one already. */
export async function heavySetup(): Promise<Step[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const definitions = await hubDefinitions();
  return [...definitions.map((definition) => post(path, () => definition)), widgetDefinition];
}
