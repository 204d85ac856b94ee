/** A mirror follows its MemberCluster: what users would change in it is changed there. */
import type { ManagedCluster, ManagedClusterSpec } from '@flotilla/api';
import { jsonEquals, quote, type JsonValue } from '@flotilla/kube';
import { isAvailabilityTaint } from '../availability-taints.ts';
import { isFeatureLabel, mirroredOwnerOf } from '../mirror/mirror.ts';

/** Why a user must not make or change this mirror; undefined if it is none, or if only metadata of others changes. */
export function refusedMirrorChange(
  now: Readonly<ManagedCluster>,
  old: Readonly<ManagedCluster> | undefined,
): string | undefined {
  const source = mirroredOwnerOf(old ?? now) ?? mirroredOwnerOf(now);
  if (source === undefined || (old !== undefined && jsonEquals(mirroredParts(now), mirroredParts(old)))) {
    return undefined;
  }
  const name = quote(source.name);
  return `ManagedCluster ${quote(now.metadata.name ?? '')} mirrors MemberCluster ${name}: its labels, taints and status follow the MemberCluster, so change ${name} there`;
}

export function refusedMirrorDeletion(mirror: Readonly<ManagedCluster>): string {
  const name = quote(mirroredOwnerOf(mirror)?.name ?? '');
  return `ManagedCluster ${quote(mirror.metadata.name ?? '')} mirrors MemberCluster ${name}: delete the MemberCluster, and this object follows`;
}

/** OCM's controllers may mark a cluster as unreachable, and the features of its add-ons. */
function mirroredParts({ metadata, spec, status }: Readonly<ManagedCluster>): JsonValue {
  const labels = Object.entries(metadata.labels ?? {}).filter(([label]) => !isFeatureLabel(label));
  const owner = mirroredOwnerOf({ apiVersion: '', kind: '', metadata });
  return [Object.fromEntries(labels), owner ?? null, withoutMarks(spec), status ?? null];
}

function withoutMarks(spec: Readonly<ManagedClusterSpec> | undefined): JsonValue {
  const { taints = [], ...rest } = spec ?? {};
  return [rest, taints.filter((taint) => !isAvailabilityTaint(taint))];
}
