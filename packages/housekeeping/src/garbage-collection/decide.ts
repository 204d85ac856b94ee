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

/**
 * What has become of an owner. *Solid*: it is there. *Waiting*: it goes as soon as those that it owns have gone. *Dangling*:
 * nothing of that uid is where the reference says.
 */
export type Standing = 'solid' | 'waiting' | 'dangling';

/** An object in its newest state, with what it takes to write to it. */
export interface Target {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly object: Readonly<KubeObject>;
}

export interface OwnedState {
  readonly item: Target;
  readonly owners: readonly { readonly reference: OwnerReference; readonly standing: Standing }[];
  readonly hasDependents: boolean;
  /** One of those that it owns waits, in turn, for those that it owns itself. */
  readonly hasWaitingDependent: boolean;
}

/** What becomes of an object that has owners: one good owner keeps it, and without any it goes. */
export function decideOwned({ item, owners, hasDependents, hasWaitingDependent }: OwnedState): Plan {
  const { metadata } = item.object;
  const solid = owners.filter(({ standing }) => standing === 'solid').map(({ reference }) => reference);
  if (solid.length === owners.length) return nothingToDo;
  if (solid.length > 0) return { steps: [[withOwners(item, solid)]] };

  const isAwaited = owners.some(({ standing }) => standing === 'waiting');
  if (!isAwaited || !hasDependents) return { steps: [[deletion(item, policyOf(metadata))]] };
  // Where owners wait for each other in a circle, somebody must let go first. The next look finds it done.
  const references = metadata.ownerReferences ?? [];
  if (hasWaitingDependent && references.some(isBlocking)) {
    return { steps: [[withOwners(item, references.map(unblocked))]] };
  }
  return { steps: [[deletion(item, 'Foreground')]] };
}

/** A deletion that waits for dependents is over when none is left that blocks it. */
export function decideForeground(owner: Target, hasBlockingDependent: boolean): Plan {
  return hasBlockingDependent ? nothingToDo : { steps: [[withoutFinalizer(owner, foregroundFinalizer)]] };
}

/** So many dependents are let go in one plan. */
export const orphansPerPlan = 500;

/** Those that it owned stay behind, and forget it before it goes. */
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

export function isBlocking({ blockOwnerDeletion }: OwnerReference): boolean {
  return blockOwnerDeletion === true;
}

/** Owners that were blocked by references before, and are not now. */
export function unblockedOwners(
  before: readonly OwnerReference[],
  now: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blocked = before.filter(isBlocking);
  if (blocked.length === 0) return blocked;
  const still = new Set(now.filter(isBlocking).map(({ uid }) => uid));
  return blocked.filter(({ uid }) => !still.has(uid));
}

function unblocked(reference: OwnerReference): OwnerReference {
  return isBlocking(reference) ? { ...reference, blockOwnerDeletion: false } : reference;
}

/** What somebody wanted for its dependents before is still wanted. */
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
