import { foregroundFinalizer, type Kind, type ObjectKey, type Outline, type OwnerReference } from '@flotilla/kube';

/** An object that has owners, or waits for its dependents. The collector remembers no others. */
export interface Node {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly isDeletingDependents: boolean;
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
  readonly #dependents = new Map<string, Set<string>>();

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
    for (const { uid } of node.owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents) dependents.add(node.uid);
      else this.#dependents.set(uid, new Set([node.uid]));
    }
    return before;
  }

  remove(uid: string): Node | undefined {
    const node = this.#nodes.get(uid);
    if (!node) return undefined;
    this.#nodes.delete(uid);
    this.#unlink(node);
    return node;
  }

  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  *dependentsOf(uid: string): Generator<Node, void> {
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const node = this.#nodes.get(dependent);
      if (node) yield node;
    }
  }

  #unlink({ uid, owners }: Node): void {
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid);
      if (dependents?.delete(uid) && dependents.size === 0) this.#dependents.delete(owner.uid);
    }
  }
}
