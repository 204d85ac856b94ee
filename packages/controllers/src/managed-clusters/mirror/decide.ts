import {
  conditionOf,
  isTrueNow,
  managedClusters,
  memberClusterConditions,
  type ManagedCluster,
  type MemberCluster,
} from '@flotilla/api';
import { apiVersionOf, jsonEquals } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { availabilityOf, type AvailabilitySettings } from './availability.ts';
import { isMirror, mirroredOwnerOf, ownerOf } from './mirror.ts';
import { mirroredLabels, mirroredSpec } from './mirrored-spec.ts';
import { mirroredStatus } from './mirrored-status.ts';
import { clashWrites } from './name-clash.ts';

export interface MirrorState {
  readonly member: Readonly<MemberCluster> | undefined;
  readonly managed: Readonly<ManagedCluster> | undefined;
}

export interface MirrorSettings extends AvailabilitySettings {
  /** Whether mirrors count as accepted. OCM expects leases and agents of clusters that are. */
  readonly isAccepted: boolean;
}

/** Each joined member has a mirror; one that leaves loses it. A ManagedCluster of others is never written. */
export function decideMirror(state: MirrorState, settings: MirrorSettings, now: Date): Plan {
  const { member, managed } = state;
  const isOfOthers = managed !== undefined && !isMirror(managed);
  const plan = isOfOthers ? nothingToDo : decideOwn(state, settings, now);
  if (member === undefined || member.metadata.deletionTimestamp !== undefined) return plan;
  const marks = clashWrites(member, isOfOthers && hasJoined(member), now);
  return marks.length === 0 ? plan : { ...plan, steps: [...plan.steps, marks] };
}

function decideOwn({ member, managed }: MirrorState, settings: MirrorSettings, now: Date): Plan {
  if (managed?.metadata.deletionTimestamp !== undefined) return nothingToDo;
  if (member === undefined || member.metadata.deletionTimestamp !== undefined || isOfAnother(managed, member)) {
    return managed === undefined ? nothingToDo : { steps: [[removed(managed)]] };
  }
  if (managed === undefined) return hasJoined(member) ? created(member, settings, now) : nothingToDo;
  return updated(member, managed, settings, now);
}

/** A member that was deleted and joined again. */
function isOfAnother(managed: Readonly<ManagedCluster> | undefined, { metadata }: Readonly<MemberCluster>): boolean {
  return managed !== undefined && mirroredOwnerOf(managed)?.uid !== metadata.uid;
}

function hasJoined({ metadata, status }: Readonly<MemberCluster>): boolean {
  return isTrueNow(conditionOf(status?.conditions, memberClusterConditions.joined), metadata.generation);
}

function created(member: Readonly<MemberCluster>, settings: MirrorSettings, now: Date): Plan {
  const { status } = availabilityOf(member, undefined, settings, now).condition;
  const object: ManagedCluster = {
    apiVersion: apiVersionOf(managedClusters),
    kind: managedClusters.kind,
    metadata: {
      name: member.metadata.name ?? '',
      labels: mirroredLabels(member, {}),
      ownerReferences: [ownerOf(member)],
    },
    spec: mirroredSpec(member, undefined, { isAccepted: settings.isAccepted, availability: status }),
  };
  return { steps: [[{ verb: 'create', kind: managedClusters, object }]] };
}

/** The write of the spec requeues the mirror; its status follows then. */
function updated(
  member: Readonly<MemberCluster>,
  managed: Readonly<ManagedCluster>,
  settings: MirrorSettings,
  now: Date,
): Plan {
  const { condition, lostAt } = availabilityOf(member, managed, settings, now);
  const { isAccepted } = settings;
  const labels = mirroredLabels(member, managed.metadata.labels ?? {});
  const spec = mirroredSpec(member, managed.spec, { isAccepted, availability: condition.status });
  const object: ManagedCluster = { ...managed, metadata: { ...managed.metadata, labels }, spec };
  const status = mirroredStatus(member, managed.status, { condition, isAccepted }, now);
  const write: Write = jsonEquals(object, managed)
    ? { verb: 'update', kind: managedClusters, object: { ...managed, status }, subresource: 'status' }
    : { verb: 'update', kind: managedClusters, object };
  return {
    steps: [[write]],
    ...(lostAt !== undefined && { requeueAfterMs: Math.max(0, lostAt - now.getTime()) + 1 }),
  };
}

function removed({ metadata }: Readonly<ManagedCluster>): Write {
  const { name = '', uid = '' } = metadata;
  return { verb: 'delete', kind: managedClusters, key: { name }, uid };
}
