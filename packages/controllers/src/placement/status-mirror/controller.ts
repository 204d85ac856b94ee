import {
  clusterFamily,
  clusterResourcePlacementStatuses,
  clusterResourcePlacements,
  type Placement,
} from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, Watched } from '@flotilla/runtime';
import { isNamespaceAccessible, selectedNamespace } from '../status/invalid-selectors.ts';
import { decideMirror, type MirrorState } from './decide.ts';

/** Copies the status of ClusterResourcePlacements into the namespaces that they place, for users who see only their namespace. */
export function statusMirrorController(): Controller<MirrorState> {
  return {
    name: 'clusterresourceplacementstatus-controller',
    workers: 4,
    watches: [
      { kind: clusterResourcePlacements, concerns: itselfIfMirrored },
      { kind: clusterResourcePlacementStatuses, concerns: placementOfItsName },
    ],
    observe: observeMirror,
    decide: decideMirror,
  };
}

function observeMirror({ name }: ObjectKey, cache: Cache): MirrorState | undefined {
  const placement = cache.get(clusterResourcePlacements, { name });
  if (placement === undefined || !isMirrored(placement)) return undefined;
  const namespace = selectedNamespace(placement);
  if (namespace === undefined) return undefined;
  return { placement, namespace, mirror: cache.get(clusterResourcePlacementStatuses, { namespace, name }) };
}

const itselfIfMirrored: Watched['concerns'] = (now) =>
  now !== undefined && isMirrored(now as Placement) ? [{ name: now.metadata.name ?? '' }] : [];

function isMirrored(placement: Readonly<Placement>): boolean {
  return placement.metadata.deletionTimestamp === undefined && isNamespaceAccessible(clusterFamily, placement);
}

/** A copy that was deleted or changed by hand is restored. */
const placementOfItsName: Watched['concerns'] = (now, old) => [{ name: (now ?? old)?.metadata.name ?? '' }];
