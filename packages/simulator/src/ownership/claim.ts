import type { JsonObject, Kind, KubeObject, LabelSelector } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { controllerOf, controllerReference, isControlledBy } from './controller-of.ts';

export interface Owner {
  readonly kind: Kind;
  readonly object: Readonly<KubeObject>;
  readonly selector: LabelSelector;
  /** What it controls carries this finalizer. */
  readonly finalizer?: string;
  /** Whether an object that the selector matches belongs to it. Default: all do. */
  readonly accepts?: (object: Readonly<KubeObject>) => boolean;
}

export interface Claimed<T> {
  /** What the owner controls, including what it adopts now. */
  readonly owned: readonly Readonly<T>[];
  /** Adopts orphans that the selector matches, and releases what it no longer matches. */
  readonly writes: readonly Write[];
}

/** Kubernetes' rules of adoption. An owner that is being deleted neither adopts nor releases, and no object is adopted on its way out. */
export function claim<T extends KubeObject>(
  kind: Kind<T>,
  owner: Owner,
  candidates: readonly Readonly<T>[],
): Claimed<T> {
  const isLeaving = owner.object.metadata.deletionTimestamp !== undefined;
  const owned: Readonly<T>[] = [];
  const writes: Write[] = [];
  for (const candidate of candidates) {
    const { labels = {}, deletionTimestamp } = candidate.metadata;
    const isSelected = owner.selector.matches(labels) && owner.accepts?.(candidate) !== false;
    if (isControlledBy(candidate, owner.object)) {
      if (isSelected) owned.push(candidate);
      else if (!isLeaving) writes.push(release(kind, candidate, owner));
    } else if (controllerOf(candidate) === undefined && isSelected && !isLeaving && deletionTimestamp === undefined) {
      owned.push(candidate);
      writes.push(adopt(kind, candidate, owner));
    }
  }
  return { owned, writes };
}

function adopt(kind: Kind, object: Readonly<KubeObject>, owner: Owner): Write {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const { finalizer } = owner;
  return change(kind, object, {
    ownerReferences: [...ownerReferences, controllerReference(owner.kind, owner.object)],
    ...(finalizer !== undefined && !finalizers.includes(finalizer) && { finalizers: [...finalizers, finalizer] }),
  });
}

function release(kind: Kind, object: Readonly<KubeObject>, owner: Owner): Write {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const others = ownerReferences.filter(({ uid }) => uid !== owner.object.metadata.uid);
  const { finalizer } = owner;
  return change(kind, object, {
    ownerReferences: others.length === 0 ? null : others,
    ...(finalizer !== undefined && { finalizers: finalizers.filter((name) => name !== finalizer) }),
  });
}

function change(kind: Kind, { metadata }: Readonly<KubeObject>, changes: JsonObject): Write {
  const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
  return { verb: 'patch', kind, key: { namespace, name }, patch: { metadata: { uid, resourceVersion, ...changes } } };
}
