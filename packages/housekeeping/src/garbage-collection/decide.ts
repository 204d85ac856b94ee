import {
  foregroundFinalizer,
  orphanFinalizer,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
} from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { Owner } from './owner-graph.ts';

/**
 * The state of an owner, in the words of Kubernetes' garbage collector. *Solid*: it exists. *Waiting*: it is deleted in the
 * foreground and waits for its dependents. *Dangling*: no object with that uid is where the reference points.
 */
export type OwnerStatus = 'solid' | 'waiting' | 'dangling';

/** An object in its newest state. */
export interface Target {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly object: Readonly<KubeObject>;
}

export interface OwnedState {
  readonly item: Target;
  readonly owners: readonly { readonly reference: OwnerReference; readonly status: OwnerStatus }[];
  readonly hasDependents: boolean;
  /** One of its dependents waits for dependents of its own. */
  readonly hasWaitingDependent: boolean;
}

/** One solid owner keeps an object. Without any, it is deleted. */
export function decideOwned({ item, owners, hasDependents, hasWaitingDependent }: OwnedState): Plan {
  const { metadata } = item.object;
  const solid = owners.filter(({ status }) => status === 'solid').map(({ reference }) => reference);
  if (solid.length === owners.length) return nothingToDo;
  if (solid.length > 0) return { steps: [[withOwners(item, solid)]] };

  const isAwaited = owners.some(({ status }) => status === 'waiting');
  if (!isAwaited || !hasDependents) return { steps: [[deletion(item, policyOf(metadata))]] };
  // Owners may wait for each other in a cycle. This object stops blocking; the next reconcile deletes it.
  const references = metadata.ownerReferences ?? [];
  if (hasWaitingDependent && references.some(isBlocking)) {
    return { steps: [[withOwners(item, references.map(unblocked))]] };
  }
  return { steps: [[deletion(item, 'Foreground')]] };
}

/** A foreground deletion ends when no dependent blocks it. */
export function decideForeground(owner: Target, hasBlockingDependent: boolean): Plan {
  return hasBlockingDependent ? nothingToDo : { steps: [[withoutFinalizer(owner, foregroundFinalizer)]] };
}

/** The number of dependents that one plan orphans. */
export const orphansPerPlan = 500;

/** Dependents lose their reference to the owner before it is deleted. */
export function decideOrphaning(owner: Target, dependents: readonly Target[]): Plan {
  const { uid } = owner.object.metadata;
  const orphaned = dependents.slice(0, orphansPerPlan).map((dependent) =>
    withOwners(
      dependent,
      (dependent.object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid),
    ),
  );
  if (dependents.length > orphansPerPlan) return { steps: [orphaned], requeueAfterMs: 0 };
  const released = [withoutFinalizer(owner, orphanFinalizer)];
  return { steps: orphaned.length === 0 ? [released] : [orphaned, released] };
}

export function isBlocking({ blockOwnerDeletion }: Owner): boolean {
  return blockOwnerDeletion === true;
}

/** Owners that `before` blocks and `now` does not. */
export function unblockedOwners(before: readonly Owner[], now: readonly Owner[]): readonly Owner[] {
  const blocked = before.filter(isBlocking);
  if (blocked.length === 0) return blocked;
  const still = new Set(now.filter(isBlocking).map(({ uid }) => uid));
  return blocked.filter(({ uid }) => !still.has(uid));
}

function unblocked(reference: OwnerReference): OwnerReference {
  return isBlocking(reference) ? { ...reference, blockOwnerDeletion: false } : reference;
}

/** Finalizers record the policy of an earlier deletion, which still applies. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan';
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
}

function deletion(
  { kind, key, object: { metadata } }: Target,
  propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
): Write {
  const { uid = '', resourceVersion = '' } = metadata;
  return { verb: 'delete', kind, key, uid, resourceVersion, propagationPolicy };
}

function withOwners(target: Target, references: readonly OwnerReference[]): Write {
  return metadataPatch(target, { ownerReferences: references.length === 0 ? null : [...references] });
}

function withoutFinalizer(target: Target, finalizer: string): Write {
  const { finalizers = [] } = target.object.metadata;
  return metadataPatch(target, { finalizers: finalizers.filter((other) => other !== finalizer) });
}

function metadataPatch({ kind, key, object: { metadata } }: Target, changed: JsonObject): Write {
  const { uid = '', resourceVersion = '' } = metadata;
  return { verb: 'patch', kind, key, patch: { metadata: { uid, resourceVersion, ...changed } } };
}
