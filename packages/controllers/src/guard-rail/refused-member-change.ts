/**
 * Changes of MemberClusters that the guard rail refuses. A MemberCluster with an annotation of Azure is managed by Azure's fleet
 * manager: users may change its taints, labels and further annotations, and nothing else.
 */
import type { MemberCluster } from '@flotilla/api';
import { isMaster, jsonEquals, type JsonValue } from '@flotilla/kube';
import type { GuardedRequest, GuardRailSettings } from './guard-users.ts';
import { refusedUser } from './refused-request.ts';

const managedPrefix = 'fleet.azure.com';
const fleetLabelPrefix = 'kubernetes-fleet.io/';

export interface MemberChange {
  readonly request: GuardedRequest;
  /** Absent for a delete. */
  readonly object: MemberCluster | undefined;
  /** Absent for a create. */
  readonly oldObject: MemberCluster | undefined;
}

export function refusedMemberChange(change: MemberChange, settings: GuardRailSettings): string | undefined {
  const { request, object, oldObject } = change;
  if (object && oldObject) return refusedUpdate(request, object, oldObject, settings);
  const cluster = object ?? oldObject;
  return cluster && isManaged(cluster) ? refusedUser(request, settings) : undefined;
}

function refusedUpdate(
  request: GuardedRequest,
  now: MemberCluster,
  old: MemberCluster,
  settings: GuardRailSettings,
): string | undefined {
  if (!isManaged(old)) return refusedUnmanaged(request, now, old, settings);
  if (!isManaged(now)) {
    return 'no user is allowed to remove all fleet pre-fixed annotations from a fleet member cluster';
  }
  if (settings.deniesLabelChanges && !isMaster(request.user) && changesOtherLabels(now, old)) {
    return 'users are not allowed to modify labels through hub cluster directly';
  }
  const isFree = jsonEquals(guardedFields(now), guardedFields(old)) && keepsManagedAnnotations(now, old);
  return isFree ? undefined : refusedUser(request, settings);
}

function refusedUnmanaged(
  request: GuardedRequest,
  now: MemberCluster,
  old: MemberCluster,
  settings: GuardRailSettings,
): string | undefined {
  if (isManaged(now)) return 'no user is allowed to add a fleet pre-fixed annotation to an upstream member cluster';
  return jsonEquals(statusOf(now), statusOf(old)) ? undefined : refusedUser(request, settings);
}

function isManaged({ metadata }: MemberCluster): boolean {
  return Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith(managedPrefix));
}

function changesOtherLabels({ metadata: now }: MemberCluster, { metadata: old }: MemberCluster): boolean {
  const keys = new Set([...Object.keys(now.labels ?? {}), ...Object.keys(old.labels ?? {})]);
  return [...keys].some((key) => !key.startsWith(fleetLabelPrefix) && now.labels?.[key] !== old.labels?.[key]);
}

function keepsManagedAnnotations({ metadata: now }: MemberCluster, { metadata: old }: MemberCluster): boolean {
  return Object.entries(old.annotations ?? {}).every(
    ([key, value]) => !key.startsWith(managedPrefix) || now.annotations?.[key] === value,
  );
}

/** The finalizers and owners of an object decide when it goes, so they count like the spec. */
function guardedFields(cluster: MemberCluster): JsonValue {
  const { metadata, spec } = cluster;
  const { taints: _, ...rest } = spec;
  const { finalizers = [], ownerReferences = [] } = metadata;
  return { spec: rest, status: statusOf(cluster), finalizers, ownerReferences };
}

function statusOf({ status }: MemberCluster): JsonValue {
  return status ?? {};
}
