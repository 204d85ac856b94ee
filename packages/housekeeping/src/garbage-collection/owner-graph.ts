import {
  foregroundFinalizer,
  TextSets,
  type Kind,
  type ObjectKey,
  type Outline,
  type OwnerReference,
} from '@flotilla/kube';

/** What the collector remembers of an owner reference. */
export interface Owner extends Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'> {
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** An object that has owners, or waits for its dependents. The collector remembers no others. */
export interface Node {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly owners: readonly Owner[];
  readonly isDeletingDependents: boolean;
}

function remembered({ apiVersion, kind, name, uid, blockOwnerDeletion }: OwnerReference): Owner {
  return { apiVersion, kind, name, uid, blockOwnerDeletion };
}

/** Whether an object is deleted in the foreground: after its dependents. */
export function isDeletingDependents({ deletionTimestamp, finalizers }: Outline): boolean {
  return deletionTimestamp !== undefined && (finalizers?.includes(foregroundFinalizer) ?? false);
}

/**
 * Owners and dependents by uid. Owners without owners are not in it: the collector reads an owner where the reference
 * points to, when it needs it.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new TextSets();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  uids(): Iterable<string> {
    return this.#nodes.keys();
  }

  /** Returns the node that it replaces. */
  set(node: Node): Node | undefined {
    const before = this.#nodes.get(node.uid);
    if (before) this.#unlink(before);
    this.#nodes.set(node.uid, node);
    for (const { uid } of node.owners) this.#dependents.add(uid, node.uid);
    return before;
  }

  remove(uid: string): Node | undefined {
    const node = this.#nodes.get(uid);
    if (!node) return undefined;
    this.#nodes.delete(uid);
    this.#unlink(node);
    return node;
  }

  /** The same references as a dependent of the first owner remembers: the objects of one Work have equal owners. */
  ownersOf(references: readonly OwnerReference[]): readonly Owner[] {
    const [first] = references;
    const [dependent = ''] = first === undefined ? [] : this.#dependents.get(first.uid);
    const known = this.#nodes.get(dependent)?.owners;
    return known !== undefined && areSameOwners(known, references) ? known : references.map(remembered);
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  *dependentsOf(uid: string): Generator<Node, void> {
    for (const dependent of this.#dependents.get(uid)) {
      const node = this.#nodes.get(dependent);
      if (node) yield node;
    }
  }

  #unlink({ uid, owners }: Node): void {
    for (const owner of owners) this.#dependents.delete(owner.uid, uid);
  }
}

/** Whether two lists of references mean the same to the collector. */
export function areSameOwners(some: readonly Owner[], others: readonly Owner[]): boolean {
  return (
    some === others || (some.length === others.length && some.every((owner, at) => isSameOwner(owner, others[at])))
  );
}

function isSameOwner(owner: Owner, other: Owner | undefined): boolean {
  return (
    owner.uid === other?.uid &&
    owner.name === other.name &&
    owner.kind === other.kind &&
    owner.apiVersion === other.apiVersion &&
    owner.blockOwnerDeletion === other.blockOwnerDeletion
  );
}
