/** Deletes a Work: the agent deletes its AppliedWork, and the member's garbage collector deletes the objects it owns. */
import { deletePropagationAnnotation, workFinalizer, type AppliedWork, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, type KubeObject, type OwnerReference } from '@flotilla/kube';
import { isSameOwner, ownerReferenceTo, ownersOf, withOwners } from '../merge/owners.ts';
import { objectRefOf, type ObjectRef } from './manifest/identifier.ts';

export type DeletionStep =
  /** The member has no AppliedWork: remove the finalizer of the Work. */
  | { readonly do: 'release' }
  | { readonly do: 'delete'; readonly propagationPolicy: 'Foreground' | 'Orphan' }
  | { readonly do: 'wait'; readonly forMs: number }
  /** Objects with other owners may block the deletion of the AppliedWork. */
  | { readonly do: 'unblock' }
  | { readonly do: 'nothing' };

export interface DeletionLimits {
  /** A deletion that takes longer counts as stuck. */
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

export function withoutFinalizer(work: Work): Work {
  const finalizers = (work.metadata.finalizers ?? []).filter((finalizer) => finalizer !== workFinalizer);
  return { ...work, metadata: { ...work.metadata, finalizers } };
}

/**
 * An object with other owners outlives the AppliedWork and must not block its deletion. Objects without other owners are
 * left to the garbage collector.
 */
export async function unblockDeletion(member: Client, work: Work, appliedWork: AppliedWork): Promise<void> {
  const owner = ownerReferenceTo(appliedWork);
  for (const { identifier } of work.status?.manifestConditions ?? []) {
    const ref = objectRefOf(identifier);
    if (ref === undefined) continue;
    const unblocked = unblockedObject(await find(member, ref), owner);
    if (unblocked !== undefined) await member.update(ref.kind, unblocked);
  }
}

/** Undefined if the object does not block the deletion. */
export function unblockedObject(live: KubeObject | undefined, owner: OwnerReference): KubeObject | undefined {
  const owners = live === undefined ? [] : ownersOf(live);
  const blocks = owners.some((one) => isSameOwner(one, owner) && one.blockOwnerDeletion === true);
  if (live === undefined || owners.length < 2 || !blocks) return undefined;
  const unblocked = owners.map((one) => (isSameOwner(one, owner) ? { ...one, blockOwnerDeletion: false } : one));
  return withOwners(live, unblocked);
}

async function find(member: Client, { kind, key }: ObjectRef): Promise<KubeObject | undefined> {
  return member.get(kind, key).catch(ignoreNotFound);
}
