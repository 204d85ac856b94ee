/**
 * Legal requests of up to 3 MiB that make a server work: every verb and every format, accepted and refused. The row `stall`
 * plays them one after the other. The server must run without the admission plugin ServiceAccount, or have the default account.
 */
import { hubDefinitions } from '@flotilla/api';
import { clusterObjectRequests } from './heavy/cluster-objects.ts';
import { configMapRequests } from './heavy/config-maps.ts';
import { customObjectRequests, widgetDefinition } from './heavy/custom-objects.ts';
import { post, type HeavyRequest, type Step } from './heavy/heavy-request.ts';
import { workloadRequests } from './heavy/workloads.ts';

export type { HeavyRequest, Step } from './heavy/heavy-request.ts';

export const heavyRequests: readonly HeavyRequest[] = [
  ...configMapRequests,
  ...workloadRequests,
  ...clusterObjectRequests,
  ...customObjectRequests,
];

/** Definitions that the requests need. Sent once before all others; 409 means that the server has one already. */
export async function heavySetup(): Promise<Step[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const definitions = await hubDefinitions();
  return [...definitions.map((definition) => post(path, () => definition)), widgetDefinition];
}
