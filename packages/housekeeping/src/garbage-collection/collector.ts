import type { Client } from '@flotilla/client';
import {
  jsonEquals,
  orphanFinalizer,
  type Kind,
  type Logger,
  type ObjectKey,
  type OwnerReference,
} from '@flotilla/kube';
import { InformerCache, nothingToDo, performPlan, WorkLoop, type ObjectChange, type Plan } from '@flotilla/runtime';
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
  type Standing,
  type Target,
} from './decide.ts';
import { isDeletingDependents, OwnerGraph, type Node } from './owner-graph.ts';
import { Strays } from './absent-owners.ts';

export interface CollectorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
  /** Tells people of references that cannot be right. */
  readonly report: (node: Node, reference: OwnerReference) => void;
}

/** So many of an object's references are looked for in all namespaces, to report mistakes. */
const searchedElsewhere = 10;

/** Deletions that share a commit of the store; more would make a turn of the event loop long. */
const workers = 32;

/** Deletes what lost its owners, in the ways that deletions ask for: in the background, in the foreground, or not at all. */
export class Collector {
  readonly #options: CollectorOptions;
  readonly #graph = new OwnerGraph();
  readonly #strays: Strays;
  readonly #loop: WorkLoop;
  /** Objects whose owners are of a kind that nobody serves: another look is due when other kinds are. */
  readonly #puzzling = new Set<string>();

  constructor(options: CollectorOptions) {
    this.#options = options;
    const { clock, turns, logger, collections } = options;
    this.#strays = new Strays(collections);
    this.#loop = new WorkLoop({
      name: 'garbage-collector',
      clock,
      turns,
      logger: logger.with({ controller: 'garbage-collector' }),
      workers,
      retryLimits,
      turn: (uid) => this.#look(uid),
    });
    this.#loop.start();
    collections.listen({
      changed: (kind, change) => this.#changed(kind, change),
      missed: () => this.#lookAtAll(),
      discovered: () => this.#lookAtPuzzling(),
    });
  }

  /** Nothing to do, and nothing that will be tried again. */
  get isAtRest(): boolean {
    return this.#loop.isAtRest && this.#loop.failing === 0;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #changed(kind: Kind, change: ObjectChange): void {
    if (isNobodysBusiness(kind)) return;
    const { key, outline } = change;
    if (change.isGone) return this.#gone(outline.uid);
    const isWaiting = isDeletingDependents(outline);
    const isLeavingOrphans = outline.deletionTimestamp !== undefined && outline.finalizers?.includes(orphanFinalizer);
    if (!outline.ownerUids && !isWaiting && !isLeavingOrphans) return this.#forget(outline.uid);
    const before = this.#graph.get(outline.uid);
    const isKnown = before?.kind === kind && before.isDeletingDependents === isWaiting && !isLeavingOrphans;
    // Most changes of owned objects are about their status: to know that, nothing is parsed.
    if (isKnown && change.isLive && change.hasSameOwners()) return;
    const owners = outline.ownerUids ? (change.now()?.metadata.ownerReferences ?? []) : [];
    const node = { kind, key, uid: outline.uid, owners, isDeletingDependents: isWaiting };
    this.#follow(node, !change.isLive || isLeavingOrphans === true);
  }

  #follow(node: Node, isNew: boolean): void {
    const before = this.#graph.set(node);
    const begins = node.isDeletingDependents && before?.isDeletingDependents !== true;
    if (begins) void this.#lookAtDependentsOf(node.uid);
    if (isNew || begins || !isSame(before?.owners ?? [], node.owners)) this.#loop.add(node.uid);
    for (const { uid } of unblockedOwners(before?.owners ?? [], node.owners))
      if (this.#graph.get(uid)) this.#loop.add(uid);
  }

  #gone(uid: string): void {
    this.#strays.noteGone(uid);
    void this.#lookAtDependentsOf(uid);
    this.#forget(uid);
  }

  /** It has no owners any more, or is no more: those that waited for it may go on. */
  #forget(uid: string): void {
    const node = this.#graph.remove(uid);
    this.#puzzling.delete(uid);
    for (const { uid: owner } of node?.owners.filter(isBlocking) ?? []) {
      if (this.#graph.get(owner)) this.#loop.add(owner);
    }
  }

  async #lookAtDependentsOf(owner: string): Promise<void> {
    const { turns } = this.#options;
    for (const { uid } of this.#graph.dependentsOf(owner)) {
      this.#loop.add(uid);
      if (turns.isOver()) await turns.next();
    }
  }

  #lookAtAll(): void {
    for (const uid of this.#graph.uids()) this.#loop.add(uid, 'later');
  }

  #lookAtPuzzling(): void {
    for (const uid of this.#puzzling) this.#loop.add(uid, 'later');
    this.#puzzling.clear();
  }

  async #look(uid: string): Promise<number | undefined> {
    const node = this.#graph.get(uid);
    if (node === undefined) return undefined;
    if (await this.#isWell(node)) return undefined;
    const object = await this.#options.collections.get(node.kind, node.key);
    if (object?.metadata.uid !== uid) {
      this.#gone(uid);
      return undefined;
    }
    const plan = await this.#decide(node, { kind: node.kind, key: node.key, object });
    const { client } = this.#options;
    const { failure } = await performPlan(plan, { client, cache: nothingKnown, fieldManager });
    if (failure) throw failure;
    return plan.requeueAfterMs;
  }

  /** Most objects have one owner, which is there: to know that, nothing is parsed. */
  async #isWell(node: Node): Promise<boolean> {
    if (node.owners.length === 0) return false;
    const { collections } = this.#options;
    const outline = await collections.outline(node.kind, node.key);
    if (outline?.uid !== node.uid || outline.deletionTimestamp !== undefined) return false;
    for (const reference of node.owners) {
      const kind = collections.kindOf(reference.apiVersion, reference.kind);
      if (kind === undefined || (kind.namespaced && !node.kind.namespaced)) return false;
      const owner = await collections.outline(kind, ownerKey(kind, node.key, reference));
      if (owner?.uid !== reference.uid || isDeletingDependents(owner)) return false;
    }
    return true;
  }

  async #decide(node: Node, item: Target): Promise<Plan> {
    const { deletionTimestamp, finalizers = [], ownerReferences } = item.object.metadata;
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(orphanFinalizer)) return decideOrphaning(item, await this.#dependentsOf(node));
      if (node.isDeletingDependents) return decideForeground(item, this.#hasBlockingDependent(node));
      // It is on its way, and needs no help.
      return nothingToDo;
    }
    const owners = await this.#standings(node, ownerReferences ?? []);
    if (owners === undefined || owners.length === 0) return nothingToDo;
    const dependents = this.#graph.dependentsOf(node.uid);
    return decideOwned({
      item,
      owners,
      hasDependents: this.#graph.hasDependents(node.uid),
      hasWaitingDependent: dependents.some((dependent) => dependent.isDeletingDependents),
    });
  }

  /** Undefined where nothing can be said, because a kind is not served or a reference cannot be followed. */
  async #standings(node: Node, references: readonly OwnerReference[]) {
    const owners: { readonly reference: OwnerReference; readonly standing: Standing }[] = [];
    for (const [index, reference] of references.entries()) {
      const standing = await this.#standingOf(node, reference, index < searchedElsewhere);
      if (standing === undefined) return undefined;
      owners.push({ reference, standing });
      // An object may have thousands of owners.
      if (this.#options.turns.isOver()) await this.#options.turns.next();
    }
    return owners;
  }

  async #standingOf(node: Node, reference: OwnerReference, mayBeElsewhere: boolean): Promise<Standing | undefined> {
    const { collections, report } = this.#options;
    const kind = collections.kindOf(reference.apiVersion, reference.kind);
    if (kind === undefined) {
      this.#puzzling.add(node.uid);
      return undefined;
    }
    const isMisplaced = kind.namespaced && !node.kind.namespaced;
    const owner = isMisplaced ? undefined : await collections.outline(kind, ownerKey(kind, node.key, reference));
    if (owner?.uid === reference.uid) return isDeletingDependents(owner) ? 'waiting' : 'solid';
    if (mayBeElsewhere && kind.namespaced && (await this.#strays.isElsewhere(kind, reference, node.key.namespace)))
      report(node, reference);
    return isMisplaced ? undefined : 'dangling';
  }

  #hasBlockingDependent({ uid }: Node): boolean {
    return this.#graph
      .dependentsOf(uid)
      .some(({ owners }) => owners.some((owner) => owner.uid === uid && isBlocking(owner)));
  }

  /** As many as one plan lets go, and one more where there are more. */
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

/** Plans are made from the newest state, so every write of theirs changes something. */
const nothingKnown = new InformerCache(new Map());

/** Events come and go by themselves. */
function isNobodysBusiness({ plural, group }: Kind): boolean {
  return plural === 'events' && (group === '' || group === 'events.k8s.io');
}

/** An owner is where its dependent is, unless its kind is in no namespace. */
function ownerKey({ namespaced }: Kind, { namespace }: ObjectKey, { name }: OwnerReference): ObjectKey {
  return namespaced ? { namespace, name } : { name };
}

function isSame(before: readonly OwnerReference[], now: readonly OwnerReference[]): boolean {
  return before === now || jsonEquals([...before], [...now]);
}
