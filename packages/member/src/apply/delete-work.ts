/** The end of a Work: its AppliedWork goes, and with it, by the member's garbage collection, all that it owns. */
import { deletePropagationAnnotation, workFinalizer, type AppliedWork, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { isSameOwner, ownerReferenceTo, ownersOf, withOwners } from '../merge/owners.ts';
import { placeOf } from './manifest/identifier.ts';

export type DeletionStep =
  /** Nothing of it is on the member: the hub may forget the Work. */
  | { readonly do: 'release' }
  | { readonly do: 'delete'; readonly propagationPolicy: 'Foreground' | 'Orphan' }
  | { readonly do: 'wait'; readonly forMs: number }
  /** Somebody else's objects hold up the end of ours. */
  | { readonly do: 'unblock' }
  | { readonly do: 'nothing' };

export interface DeletionLimits {
  /** After so long a deletion is stuck. */
  readonly deletionWaitMs: number;
}

export function decideDeletion(
  work: Work,
  appliedWork: AppliedWork | undefined,
  now: Date,
  { deletionWaitMs }: DeletionLimits,
): DeletionStep {
  const { finalizers = [], annotations } = work.metadata;
  if (!finalizers.includes(workFinalizer)) return { do: 'nothing' };
  if (appliedWork === undefined) return { do: 'release' };
  const { deletionTimestamp } = appliedWork.metadata;
  if (deletionTimestamp === undefined) {
    const isAbandoned = annotations?.[deletePropagationAnnotation] === 'Abandon';
    return { do: 'delete', propagationPolicy: isAbandoned ? 'Orphan' : 'Foreground' };
  }
  const leftMs = Date.parse(deletionTimestamp) + deletionWaitMs - now.getTime();
  return leftMs > 0 ? { do: 'wait', forMs: leftMs } : { do: 'unblock' };
}

/** The Work as the hub may forget it. */
export function withoutFinalizer(work: Work): Work {
  const finalizers = (work.metadata.finalizers ?? []).filter((finalizer) => finalizer !== workFinalizer);
  return { ...work, metadata: { ...work.metadata, finalizers } };
}

/**
 * An object with further owners does not go with us, and must not keep our AppliedWork from going. What we own alone is
 * left to garbage collection, however long that takes.
 */
export async function unblockDeletion(member: Client, work: Work, appliedWork: AppliedWork): Promise<void> {
  const owner = ownerReferenceTo(appliedWork);
  for (const { identifier } of work.status?.manifestConditions ?? []) {
    const place = placeOf(identifier);
    if (place === undefined) continue;
    const unblocked = unblockedObject(await found(member, place), owner);
    if (unblocked !== undefined) await member.update(place.kind, unblocked);
  }
}

/** Undefined when it holds up nothing. */
export function unblockedObject(live: KubeObject | undefined, owner: OwnerReference): KubeObject | undefined {
  const owners = live === undefined ? [] : ownersOf(live);
  const blocks = owners.some((one) => isSameOwner(one, owner) && one.blockOwnerDeletion === true);
  if (live === undefined || owners.length < 2 || !blocks) return undefined;
  const unblocked = owners.map((one) => (isSameOwner(one, owner) ? { ...one, blockOwnerDeletion: false } : one));
  return withOwners(live, unblocked);
}

async function found(
  member: Client,
  { kind, key }: NonNullable<ReturnType<typeof placeOf>>,
): Promise<KubeObject | undefined> {
  return member.get(kind, key).catch(ignoreNotFound);
}
