/** For tests: what must change of the Works of a binding. */
import type { Work } from '@flotilla/api';
import type { JsonObject } from '@flotilla/kube';
import { syncWorks, type Sync } from './sync-works.ts';
import { isClusterScoped, writeText } from './works.testing.ts';
import type { WorksState } from './works-state.ts';

export function sync(state: WorksState): Sync {
  return syncWorks(state, isClusterScoped);
}

export function textsOf({ writes }: Sync): string[] {
  return writes.map(writeText);
}

export function objectsOf({ writes }: Sync): Work[] {
  return writes.flatMap((write) => ('object' in write ? [write.object as Work] : []));
}

export function anEnvelope(kind: string, name: string, data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind, metadata: { name, ...metadata }, data };
}

export const aRole: JsonObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'r' },
};
