import type { Client } from '@flotilla/client';
import {
  apiVersionOf,
  orphanFinalizer,
  type Kind,
  type Logger,
  type ObjectKey,
  type OwnerReference,
} from '@flotilla/kube';
import {
  InformerCache,
  nothingToDo,
  performPlan,
  WorkLoop,
  WriteSlots,
  type ObjectChange,
  type Plan,
  type PlannedEvent,
} from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { fieldManager, retryLimits } from '../settings.ts';
import {
  decideForeground,
  decideOrphaning,
  decideOwned,
  isBlocking,
  orphansPerPlan,
  unblockedOwners,
  type OwnerStatus,
  type Target,
} from './decide.ts';
import { areSameOwners, isDeletingDependents, OwnerGraph, type Node, type Owner } from './owner-graph.ts';
import { AbsentOwners } from './absent-owners.ts';

export interface CollectorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
  readonly recordEvent: (event: PlannedEvent) => void;
}

/** Searching all namespaces for an owner only serves an event, so it is limited for each object. */
const maxSearchedOwners = 10;

/** Concurrent deletions share a commit of the store; more would make a turn of the event loop long. */
const workers = 32;

/** The garbage collector of Kubernetes: deletes objects without owners, and honours the propagation policy of deletions. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #graph = new OwnerGraph();
  readonly #absentOwners: AbsentOwners;
  readonly #loop: WorkLoop;
  readonly #slots = new WriteSlots();
  /** Uids of objects with an owner of an unserved kind. Requeued when discovery finds other kinds. */
  readonly #awaitingKinds = new Set<string>();

  constructor(options: CollectorOptions) {
    this.#options = options;
    const { clock, turns, logger, collections } = options;
    this.#absentOwners = new AbsentOwners(collections);
    this.#loop = new WorkLoop({
      name: 'garbage-collector',
      clock,
      turns,
      logger: logger.with({ controller: 'garbage-collector' }),
      workers,
      retryLimits,
      turn: (uid) => this.#reconcile(uid),
    });
    this.#loop.start();
    collections.listen({
      changed: (kind, change) => this.#changed(kind, change),
      missed: () => this.#requeueAll(),
      discovered: () => this.#requeueAwaitingKinds(),
    });
  }

  /** Whether no key is queued, running or failing. */
  get isAtRest(): boolean {
    return this.#loop.isAtRest && this.#loop.failing === 0;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #changed(kind: Kind, change: ObjectChange): void {
    if (isIgnored(kind)) return;
    const { key, outline } = change;
    if (change.isGone) return this.#removed(outline.uid);
    const isWaiting = isDeletingDependents(outline);
    const isOrphaning = outline.deletionTimestamp !== undefined && outline.finalizers?.includes(orphanFinalizer);
    if (!outline.ownerUids && !isWaiting && !isOrphaning) return this.#forget(outline.uid);
    const before = this.#graph.get(outline.uid);
    const isKnown = before?.kind === kind && before.isDeletingDependents === isWaiting && !isOrphaning;
    // Most changes of owned objects concern their status. This check parses nothing.
    if (isKnown && change.isLive && change.hasSameOwners()) return;
    const owners = this.#graph.ownersOf(outline.ownerUids ? (change.now()?.metadata.ownerReferences ?? []) : []);
    const node = { kind, key, uid: outline.uid, owners, isDeletingDependents: isWaiting };
    this.#update(node, !change.isLive || isOrphaning === true);
  }

  #update(node: Node, isNew: boolean): void {
    const before = this.#graph.set(node);
    const isStarting = node.isDeletingDependents && before?.isDeletingDependents !== true;
    if (isStarting) void this.#requeueDependentsOf(node.uid);
    const isChanged = isNew || isStarting || !areSameOwners(before?.owners ?? [], node.owners);
    // An owner that goes later requeues its dependents.
    if (isChanged && !this.#hasAllOwners(node)) this.#loop.add(node.uid);
    for (const { uid } of unblockedOwners(before?.owners ?? [], node.owners))
      if (this.#graph.get(uid)) this.#loop.add(uid);
  }

  #removed(uid: string): void {
    this.#absentOwners.add(uid);
    void this.#requeueDependentsOf(uid);
    this.#forget(uid);
  }

  /** The object is gone or has no owners any more, so owners that it blocked are reconciled. */
  #forget(uid: string): void {
    const node = this.#graph.remove(uid);
    this.#awaitingKinds.delete(uid);
    for (const { uid: owner } of node?.owners.filter(isBlocking) ?? []) {
      if (this.#graph.get(owner)) this.#loop.add(owner);
    }
  }

  async #requeueDependentsOf(owner: string): Promise<void> {
    const { turns } = this.#options;
    for (const { uid } of this.#graph.dependentsOf(owner)) {
      this.#loop.add(uid);
      if (turns.isOver()) await turns.next();
    }
  }

  #requeueAll(): void {
    for (const uid of this.#graph.uids()) this.#loop.add(uid, 'later');
  }

  #requeueAwaitingKinds(): void {
    for (const uid of this.#awaitingKinds) this.#loop.add(uid, 'later');
    this.#awaitingKinds.clear();
  }

  async #reconcile(uid: string): Promise<number | undefined> {
    const node = this.#graph.get(uid);
    if (node === undefined) return undefined;
    if (this.#hasAllOwners(node)) return undefined;
    const object = await this.#options.collections.get(node.kind, node.key);
    if (object?.metadata.uid !== uid) {
      this.#removed(uid);
      return undefined;
    }
    const plan = await this.#decide(node, { kind: node.kind, key: node.key, object });
    const { client } = this.#options;
    const { failure } = await performPlan(plan, { client, cache: emptyCache, fieldManager, slots: this.#slots });
    if (failure) throw failure;
    return plan.requeueAfterMs;
  }

  /** True if all owners exist and keep the object: the common case, found without parsing or waiting. False if that is not known. */
  #hasAllOwners(node: Node): boolean {
    if (node.owners.length === 0) return false;
    const { collections } = this.#options;
    const outline = collections.viewedOutline(node.kind, node.key);
    if (outline?.uid !== node.uid || outline.deletionTimestamp !== undefined) return false;
    for (const reference of node.owners) {
      const kind = collections.kindOf(reference.apiVersion, reference.kind);
      if (kind === undefined || (kind.namespaced && !node.kind.namespaced)) return false;
      const owner = collections.viewedOutline(kind, ownerKey(kind, node.key, reference));
      if (owner?.uid !== reference.uid || isDeletingDependents(owner)) return false;
    }
    return true;
  }

  async #decide(node: Node, item: Target): Promise<Plan> {
    const { deletionTimestamp, finalizers = [], ownerReferences } = item.object.metadata;
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(orphanFinalizer)) return decideOrphaning(item, await this.#dependentsOf(node));
      if (node.isDeletingDependents) return decideForeground(item, this.#hasBlockingDependent(node));
      // Its deletion needs no help.
      return nothingToDo;
    }
    const owners = await this.#ownerStatuses(node, ownerReferences ?? []);
    if (owners === undefined || owners.length === 0) return nothingToDo;
    const dependents = this.#graph.dependentsOf(node.uid);
    return decideOwned({
      item,
      owners,
      hasDependents: this.#graph.hasDependents(node.uid),
      hasWaitingDependent: dependents.some((dependent) => dependent.isDeletingDependents),
    });
  }

  /** Undefined if a kind is not served, or if a cluster-scoped object names a namespaced owner. */
  async #ownerStatuses(node: Node, references: readonly OwnerReference[]) {
    const owners: { readonly reference: OwnerReference; readonly status: OwnerStatus }[] = [];
    for (const [index, reference] of references.entries()) {
      const status = await this.#ownerStatusOf(node, reference, index < maxSearchedOwners);
      if (status === undefined) return undefined;
      owners.push({ reference, status });
      // An object may have thousands of owners.
      if (this.#options.turns.isOver()) await this.#options.turns.next();
    }
    return owners;
  }

  async #ownerStatusOf(node: Node, reference: OwnerReference, shouldSearch: boolean): Promise<OwnerStatus | undefined> {
    const { collections, recordEvent } = this.#options;
    const kind = collections.kindOf(reference.apiVersion, reference.kind);
    if (kind === undefined) {
      this.#awaitingKinds.add(node.uid);
      return undefined;
    }
    const isMisplaced = kind.namespaced && !node.kind.namespaced;
    const owner = isMisplaced ? undefined : await collections.outline(kind, ownerKey(kind, node.key, reference));
    if (owner?.uid === reference.uid) return isDeletingDependents(owner) ? 'waiting' : 'solid';
    if (
      shouldSearch &&
      kind.namespaced &&
      (await this.#absentOwners.isInOtherNamespace(kind, reference, node.key.namespace))
    )
      recordEvent(invalidNamespaceEvent(node, reference));
    return isMisplaced ? undefined : 'dangling';
  }

  #hasBlockingDependent({ uid }: Node): boolean {
    return this.#graph
      .dependentsOf(uid)
      .some(({ owners }) => owners.some((owner) => owner.uid === uid && isBlocking(owner)));
  }

  /** At most one more than a plan can orphan, which shows that there are more. */
  async #dependentsOf({ uid }: Node): Promise<Target[]> {
    const { collections, turns } = this.#options;
    const dependents: Target[] = [];
    for (const { kind, key, uid: dependent } of this.#graph.dependentsOf(uid)) {
      const object = await collections.get(kind, key);
      const isOwned = object?.metadata.ownerReferences?.some((reference) => reference.uid === uid);
      if (object?.metadata.uid === dependent && isOwned) dependents.push({ kind, key, object });
      if (dependents.length > orphansPerPlan) break;
      if (turns.isOver()) await turns.next();
    }
    return dependents;
  }
}

/** Plans are made from the newest state, so no write needs a comparison with a cache. */
const emptyCache = new InformerCache(new Map());

/** Events expire by themselves. Kubernetes' collector ignores them too. */
function isIgnored({ plural, group }: Kind): boolean {
  return plural === 'events' && (group === '' || group === 'events.k8s.io');
}

/** A namespaced owner is in the namespace of its dependent. */
function ownerKey({ namespaced }: Kind, { namespace }: ObjectKey, { name }: Owner): ObjectKey {
  return namespaced ? { namespace, name } : { name };
}

function invalidNamespaceEvent({ kind, key, uid }: Node, owner: OwnerReference): PlannedEvent {
  const { namespace = '', name } = key;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  return {
    about: {
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { name, uid, ...(namespace !== '' && { namespace }) },
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${reference} does not exist in namespace "${namespace}"`,
  };
}
