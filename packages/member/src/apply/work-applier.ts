/** Watches the Works of a joined member and reconciles each of them. */
import { appliedWorks, memberNamespace, workFinalizer, works, type Work } from '@flotilla/api';
import type { Kind } from '@flotilla/kube';
import { InformerSet, OwnWrites, WorkLoop, type HeldInformer, type Informer } from '@flotilla/runtime';
import { WorkSchedule } from '../schedule/work-schedule.ts';
import { defaultLimits, type ApplierLimits, type ApplierOptions } from './applier-options.ts';
import { sharedWorks } from './manifest/shared-works.ts';
import { watchMember, type WatchedMember } from './watch/watched-member.ts';
import { WorkReconciler } from './work-reconciler.ts';

/** The maximum is low: all Works fail while the hub is down, and must continue soon after it is back. */
const retryLimits = { firstMs: 5, maxMs: 30_000, perSecond: 100, burst: 1000 };

interface OpenMember {
  readonly watched: WatchedMember;
  readonly reconciler: WorkReconciler;
}

export class WorkApplier {
  readonly #options: ApplierOptions;
  readonly #limits: ApplierLimits;
  readonly #namespace: string;
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;
  readonly #ownWrites: OwnWrites;
  readonly #schedule: WorkSchedule;
  readonly #loop: WorkLoop;
  /** Undefined while there are no Works. */
  #member: OpenMember | undefined;
  readonly #stopping = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: ApplierOptions) {
    const { name, hub, clock, turns, random, logger, metrics } = options;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#namespace = memberNamespace(name);
    this.#schedule = new WorkSchedule(options);
    this.#loop = new WorkLoop({
      name: 'work-applier',
      clock,
      turns,
      logger,
      metrics,
      workers: this.#limits.works,
      retryLimits,
      turn: (work) => this.#turn(work),
      mayBegin: (work) => this.#ownWrites.areSeen(work),
    });
    this.#ownWrites = new OwnWrites({
      informerOf: (kind) => this.#informerOf(kind),
      clock,
      turns,
      onSeen: (work) => this.#loop.add(work),
    });
    const informers = new InformerSet({ client: hub, clock, turns, random, logger, namespace: this.#namespace });
    this.#held = informers.hold(works, { excerpt: sharedWorks });
    this.#unsubscribe = this.#held.informer.subscribe(
      (now, old, isLive) => this.#changed(now, old, isLive),
      ({ key }) => this.#found(key.name),
    );
    void this.#start();
  }

  /** Whether no Work is queued, in progress, failing, or about to be reported. */
  get isAtRest(): boolean {
    const isReporting = this.#ownWrites.isAwaited || this.#member?.reconciler.holdsReports === true;
    return this.#loop.isAtRest && this.#loop.failing === 0 && !isReporting;
  }

  /** Waits for running turns; no new ones start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#ownWrites.stop();
    await this.#loop.stop();
    this.#stopWatchingMember();
    await Promise.all([this.#held.release(), ...this.#stopping]);
  }

  async #start(): Promise<void> {
    await this.#held.informer.whenReady();
    if (!this.#isStopped) this.#loop.start();
  }

  /** A Work that exists when the agent starts, or reads all Works anew. */
  #found(name: string): void {
    this.#ownWrites.informersChanged();
    this.#loop.add(name, this.#schedule.priorityOf(undefined, false));
  }

  #changed(now: Work | undefined, old: Work | undefined, isLive: boolean): void {
    this.#ownWrites.informersChanged();
    const { name = '' } = (now ?? old)?.metadata ?? {};
    if (now !== undefined && old !== undefined && !needsTurn(now, old)) return;
    this.#loop.add(name, this.#schedule.priorityOf(old, isLive));
  }

  #informerOf({ plural }: Kind): Informer | undefined {
    if (plural === works.plural) return this.#held.informer;
    // Without a current informer, rounds read AppliedWorks from the member.
    const informer = plural === appliedWorks.plural ? this.#member?.watched.appliedWorks : undefined;
    return informer?.isCurrent === true ? informer : undefined;
  }

  /** After a change on the member. */
  #enqueue(work: string): void {
    this.#loop.addAfter(work, this.#schedule.delayAfterMemberChange(work));
  }

  async #turn(name: string): Promise<number | undefined> {
    const work: Work | undefined = this.#held.informer.get({ namespace: this.#namespace, name });
    if (work === undefined) return this.#forget(name);
    this.#schedule.turnStarts(name);
    return (this.#member ?? this.#openMember()).reconciler.reconcile(work);
  }

  #forget(name: string): undefined {
    this.#schedule.forget(name);
    this.#member?.reconciler.forget(name);
    if (this.#held.informer.size === 0) this.#stopWatchingMember();
  }

  #openMember(): OpenMember {
    const { member, clock, turns, random, logger } = this.#options;
    const enqueue = (work: string): void => this.#enqueue(work);
    const watched = watchMember({
      member,
      clock,
      turns,
      random,
      logger,
      enqueue,
      appliedWorkChanged: (now, old) => {
        this.#ownWrites.informersChanged();
        this.#member?.reconciler.appliedWorkChanged(now, old);
      },
      kindsChanged: (group) => this.#member?.reconciler.kindsChanged(group),
    });
    const reconciler = new WorkReconciler({
      ...this.#options,
      namespace: this.#namespace,
      limits: this.#limits,
      works: this.#held.informer,
      ownWrites: this.#ownWrites,
      schedule: this.#schedule,
      watched,
      enqueue,
    });
    this.#member = { watched, reconciler };
    return this.#member;
  }

  #stopWatchingMember(): void {
    if (this.#member === undefined) return;
    const stopping = this.#member.watched.stop().finally(() => this.#stopping.delete(stopping));
    this.#stopping.add(stopping);
    this.#member = undefined;
  }
}

/** Ignores changes of status and labels: only spec, deletion and a removed finalizer matter. */
function needsTurn({ metadata: now }: Work, { metadata: old }: Work): boolean {
  const isReleased = now.finalizers?.includes(workFinalizer) !== true;
  return (
    now.uid !== old.uid ||
    now.generation !== old.generation ||
    now.deletionTimestamp !== old.deletionTimestamp ||
    (isReleased && old.finalizers?.includes(workFinalizer) === true)
  );
}
