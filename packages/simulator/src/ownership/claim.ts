import type { Kind, KubeObject, LabelSelector } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { controllerOf, controllerReference, isControlledBy } from './controller-of.ts';

export interface Owner {
  readonly kind: Kind;
  readonly object: Readonly<KubeObject>;
  readonly selector: LabelSelector;
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
    const isSelected = owner.selector.matches(labels);
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
  const { ownerReferences = [] } = object.metadata;
  return withOwners(kind, object, [...ownerReferences, controllerReference(owner.kind, owner.object)]);
}

function release(kind: Kind, object: Readonly<KubeObject>, owner: Owner): Write {
  const { ownerReferences = [] } = object.metadata;
  const others = ownerReferences.filter(({ uid }) => uid !== owner.object.metadata.uid);
  return withOwners(kind, object, others.length === 0 ? null : others);
}

function withOwners(
  kind: Kind,
  { metadata }: Readonly<KubeObject>,
  ownerReferences: NonNullable<KubeObject['metadata']['ownerReferences']> | null,
): Write {
  const { namespace, name = '', uid = '', resourceVersion = '' } = metadata;
  const patch = { metadata: { uid, resourceVersion, ownerReferences } };
  return { verb: 'patch', kind, key: { namespace, name }, patch };
}
