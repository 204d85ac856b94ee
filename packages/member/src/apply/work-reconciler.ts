/** Reconciles one Work: does nothing if nothing changed, runs a round, or takes the next step of its deletion. */
import { appliedWorks, works, type AppliedWork, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ApiError, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { writtenAs, type Informer, type OwnWrites, type Written } from '@flotilla/runtime';
import { heldReportMs, pollMs, type WorkSchedule } from '../schedule/work-schedule.ts';
import type { ApplierLimits, ApplierOptions } from './applier-options.ts';
import { decideDeletion, unblockDeletion, withoutFinalizer } from './delete-work.ts';
import { isStillSettled, keptOutcome, lastRoundOf, type LastRound } from './round/last-round.ts';
import { findAppliedWork } from './round/applied-work.ts';
import { observedObjectsOf } from './round/observed-objects.ts';
import { outcomeOf, runRound, type Round, type RoundOptions } from './round/work-round.ts';
import type { ObservedObject } from './watch/applied-objects.ts';
import type { WatchedMember } from './watch/watched-member.ts';
import { workMetrics } from './work-metrics.ts';

export interface WorkReconcilerOptions {
  /** The member's namespace on the hub. */
  readonly namespace: string;
  readonly hub: Client;
  readonly member: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly appliedWorkKind?: ApplierOptions['appliedWorkKind'];
  readonly limits: ApplierLimits;
  readonly trackJobs?: boolean;
  readonly works: Informer;
  readonly ownWrites: OwnWrites;
  readonly schedule: WorkSchedule;
  readonly watched: WatchedMember;
  readonly enqueue: (work: string) => void;
}

export class WorkReconciler {
  readonly #options: WorkReconcilerOptions;
  readonly #roundOptions: Omit<RoundOptions, 'knownOutcome' | 'onWritten' | 'heldSince'>;
  readonly #count: ReturnType<typeof workMetrics>;
  readonly #lastRounds = new Map<string, LastRound>();
  /** Works whose report is held back. */
  readonly #held = new Set<string>();

  constructor(options: WorkReconcilerOptions) {
    const { hub, member, clock, watched, limits, appliedWorkKind, trackJobs = false } = options;
    this.#options = options;
    this.#count = workMetrics(options.metrics);
    this.#roundOptions = {
      hub,
      member,
      clock,
      works: options.works,
      appliedWorks: watched.appliedWorks,
      requestAppliedWork: (send) => (appliedWorkKind === undefined ? send() : appliedWorkKind.request(send)),
      findKind: (gvk) => watched.kinds.find(gvk),
      isKnownAbsent: (manifest) => watched.objects.isKnownAbsent(manifest),
      availability: { trackJobs },
      manifestWorkers: limits.manifests,
    };
  }

  /** Resolves with the delay in milliseconds until the next turn; undefined if only a change requires one. */
  async reconcile(work: Work): Promise<number | undefined> {
    if (work.metadata.deletionTimestamp !== undefined) return this.#delete(work);
    const { name = '' } = work.metadata;
    const last = this.#lastRounds.get(name);
    if (this.#isUnchanged(work, last)) return this.#options.schedule.longestDelayMs;
    const round = await this.#runRound(name, work, last);
    this.#count(round.work);
    if (round.isStatusWritten) this.#log(name, round);
    if (this.#isKindExpected(round)) return pollMs.expectedKind;
    if (round.heldSince !== undefined) return round.heldSince + heldReportMs - this.#options.clock.elapsed();
    return this.#options.schedule.delayAfterTurn(name, outcomeOf(round));
  }

  get holdsReports(): boolean {
    return this.#held.size > 0;
  }

  forget(work: string): void {
    this.#lastRounds.delete(work);
    this.#held.delete(work);
    this.#options.watched.objects.forget(work);
  }

  kindsChanged(group: string): void {
    for (const [work, { awaitedGroups }] of this.#lastRounds) if (awaitedGroups.has(group)) this.#options.enqueue(work);
  }

  /** Enqueues a Work whose AppliedWork is not as its last round left it. */
  appliedWorkChanged(now: AppliedWork | undefined, old: AppliedWork | undefined): void {
    const { works: informer, namespace, watched, enqueue } = this.#options;
    const { name = '', uid } = (now ?? old)?.metadata ?? {};
    // A running round has a newer AppliedWork than the informer.
    if (watched.objects.isInRound(name) || informer.get({ namespace, name }) === undefined) return;
    const last = this.#lastRounds.get(name);
    const isPredecessor = now === undefined && last !== undefined && last.owner !== uid;
    if (!isPredecessor && !isWrittenBy(last, now)) enqueue(name);
  }

  /** Whether the last round was successful, and neither the hub nor the member has changed since. */
  #isUnchanged(work: Work, last: LastRound | undefined): last is LastRound {
    const { clock, watched } = this.#options;
    const { name = '' } = work.metadata;
    if (!watched.appliedWorks.isCurrent || !watched.objects.areUnchanged(name)) return false;
    const appliedWork = watched.appliedWorks.version({ name });
    return isStillSettled(last, { work, appliedWork, now: clock.now() });
  }

  async #runRound(name: string, work: Work, last: LastRound | undefined): Promise<Round> {
    const { clock, watched, ownWrites, enqueue } = this.#options;
    const { objects } = watched;
    const written: Written[] = [];
    const onWritten: RoundOptions['onWritten'] = (kind, object) => written.push(writtenAs(kind, object));
    let observed: readonly ObservedObject[] | undefined;
    objects.beginRound(name);
    try {
      const heldSince = last?.generation === work.metadata.generation ? last?.heldSince : undefined;
      const knownOutcome = this.#knownOutcome(last);
      const round = await runRound(work, { ...this.#roundOptions, onWritten, knownOutcome, heldSince });
      observed = observedObjectsOf(round);
      this.#lastRounds.set(name, lastRoundOf(round, last, clock.now()));
      if (round.heldSince === undefined) this.#held.delete(name);
      else this.#held.add(name);
      if (hasChanged(watched.appliedWorks, round.appliedWork)) enqueue(name);
      return round;
    } finally {
      ownWrites.add(name, written);
      objects.endRound(name, observed);
    }
  }

  /** Reuses outcomes of the last round for unchanged objects. */
  #knownOutcome(last: LastRound | undefined): RoundOptions['knownOutcome'] {
    const { clock, watched } = this.#options;
    return (manifest, work, appliedWork) => {
      if (!watched.objects.isUnchanged(work.metadata.name ?? '', manifest)) return undefined;
      return keptOutcome(last, manifest, { work, appliedWork, now: clock.now() });
    };
  }

  #log(work: string, { outcomes }: Round): void {
    const failed = outcomes
      .filter(({ problem }) => problem !== undefined)
      .map(({ identifier, result, problem }) => ({
        ...identifier,
        result,
        problem,
      }));
    const { logger } = this.#options;
    if (failed.length === 0) logger.debug('work applied', { work, manifests: outcomes.length });
    else logger.info('work not fully applied', { work, manifests: outcomes.length, failed });
  }

  #isKindExpected({ unknownKinds }: Round): boolean {
    return unknownKinds.some(({ group }) => this.#options.watched.kinds.isSettling(group));
  }

  async #delete(work: Work): Promise<number | undefined> {
    const { name = '' } = work.metadata;
    const { member, clock, limits } = this.#options;
    this.forget(name);
    const appliedWork = await findAppliedWork(name, this.#roundOptions);
    const step = decideDeletion(work, appliedWork, new Date(clock.now()), limits);
    switch (step.do) {
      case 'nothing':
        return undefined;
      case 'release':
        return this.#release(work);
      case 'wait':
        return Math.min(step.forMs, pollMs.deletion);
      case 'unblock':
        if (appliedWork !== undefined) await unblockDeletion(member, work, appliedWork);
        return pollMs.deletion;
      case 'delete':
        return (await this.#deleteAppliedWork(appliedWork, step.propagationPolicy))
          ? pollMs.deletion
          : this.#release(work);
    }
  }

  /** Returns false if it was deleted before. */
  async #deleteAppliedWork(
    appliedWork: AppliedWork | undefined,
    propagationPolicy: 'Foreground' | 'Orphan',
  ): Promise<boolean> {
    const { name = '', uid = '' } = appliedWork?.metadata ?? {};
    try {
      await this.#options.member.delete(appliedWorks, { name }, { uid, propagationPolicy });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  async #release(work: Work): Promise<undefined> {
    const { hub, schedule } = this.#options;
    schedule.forget(work.metadata.name ?? '');
    await hub.update(works, withoutFinalizer(work));
  }
}

/** Whether the informer shows a later state than the round left. It reports later changes itself. */
function hasChanged(informer: Informer, { metadata: left }: AppliedWork): boolean {
  if (!informer.isCurrent || informer.revision < Number(left.resourceVersion)) return false;
  const now = informer.version({ name: left.name ?? '' });
  return now === undefined || Number(now.resourceVersion) > Number(left.resourceVersion);
}

/** Whether the last round wrote this state or a later one. */
function isWrittenBy(last: LastRound | undefined, now: AppliedWork | undefined): boolean {
  if (last === undefined || now === undefined || last.owner !== now.metadata.uid) return false;
  return Number(now.metadata.resourceVersion) <= Number(last.appliedWorkVersion);
}
