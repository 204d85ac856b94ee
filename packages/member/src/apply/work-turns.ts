/** What is done about a Work when its turn comes: nothing, a round, or the next step of its end. */
import { appliedWorks, works, type AppliedWork, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ApiError, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { writtenAs, type Informer, type OwnWrites, type Written } from '@flotilla/runtime';
import { pollMs, type WorkSchedule } from '../schedule/work-schedule.ts';
import type { ApplierLimits, ApplierOptions } from './applier-options.ts';
import { decideDeletion, unblockDeletion, withoutFinalizer } from './delete-work.ts';
import { isStillSettled, keptOutcome, lastRoundOf, type LastRound } from './round/last-round.ts';
import { sightingsOf } from './round/observed-objects.ts';
import { findAppliedWork, outcomeOf, runRound, type Round, type RoundOptions } from './round/work-round.ts';
import type { Sighting } from './watch/applied-objects.ts';
import type { WatchedMember } from './watch/watched-member.ts';
import { workMetrics } from './work-metrics.ts';

export interface WorkTurnsOptions {
  /** The member's, on the hub. */
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
  readonly wake: (work: string) => void;
}

export class WorkTurns {
  readonly #options: WorkTurnsOptions;
  readonly #roundOptions: Omit<RoundOptions, 'known' | 'wrote'>;
  readonly #count: ReturnType<typeof workMetrics>;
  readonly #lastRounds = new Map<string, LastRound>();

  constructor(options: WorkTurnsOptions) {
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

  /** Resolves with when to look again, if at all before something happens. */
  async take(work: Work): Promise<number | undefined> {
    if (work.metadata.deletionTimestamp !== undefined) return this.#remove(work);
    const { name = '' } = work.metadata;
    const last = this.#lastRounds.get(name);
    if (this.#isAsLeft(work, last)) return this.#options.schedule.delayAfter(name, last.outcome);
    const round = await this.#round(name, work, last);
    this.#count(round.work);
    if (round.isNews) this.#log(name, round);
    if (this.#isKindComing(round)) return pollMs.comingKind;
    return this.#options.schedule.delayAfter(name, outcomeOf(round));
  }

  forget(work: string): void {
    this.#lastRounds.delete(work);
    this.#options.watched.objects.forget(work);
  }

  kindsChanged(group: string): void {
    for (const [work, { awaitedGroups }] of this.#lastRounds) if (awaitedGroups.has(group)) this.#options.wake(work);
  }

  /** Wakes a Work whose AppliedWork is not what its last round left behind. */
  appliedWorkChanged(now: AppliedWork | undefined, old: AppliedWork | undefined): void {
    const { works: informer, namespace, watched, wake } = this.#options;
    const { name = '', uid } = (now ?? old)?.metadata ?? {};
    // A round in work knows more of its AppliedWork than the informer.
    if (watched.objects.isInRound(name) || informer.get({ namespace, name }) === undefined) return;
    const last = this.#lastRounds.get(name);
    const isPredecessor = now === undefined && last !== undefined && last.owner !== uid;
    if (!isPredecessor && !isWrittenBy(last, now)) wake(name);
  }

  /** Whether neither side has moved since a round that ended well. */
  #isAsLeft(work: Work, last: LastRound | undefined): last is LastRound {
    const { clock, watched } = this.#options;
    const { name = '' } = work.metadata;
    if (!watched.appliedWorks.isCurrent || !watched.objects.areAsSeen(name)) return false;
    const appliedWork = watched.appliedWorks.get({ name }) as AppliedWork | undefined;
    return isStillSettled(last, { work, appliedWork, now: clock.now() });
  }

  async #round(name: string, work: Work, last: LastRound | undefined): Promise<Round> {
    const { clock, watched, ownWrites, wake } = this.#options;
    const { objects } = watched;
    const written: Written[] = [];
    const wrote: RoundOptions['wrote'] = (kind, object) => written.push(writtenAs(kind, object));
    let sightings: readonly Sighting[] | undefined;
    objects.beginRound(name);
    try {
      const round = await runRound(work, { ...this.#roundOptions, wrote, known: this.#knownTo(last) });
      sightings = sightingsOf(round);
      this.#lastRounds.set(name, lastRoundOf(round, last, clock.now()));
      if (hasMoved(watched.appliedWorks, round.appliedWork)) wake(name);
      return round;
    } finally {
      ownWrites.add(name, written);
      objects.endRound(name, sightings);
    }
  }

  /** What need not be asked again. */
  #knownTo(last: LastRound | undefined): RoundOptions['known'] {
    const { clock, watched } = this.#options;
    return (manifest, work, appliedWork) => {
      if (!watched.objects.isAsSeen(work.metadata.name ?? '', manifest)) return undefined;
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

  #isKindComing({ unknownKinds }: Round): boolean {
    return unknownKinds.some(({ group }) => this.#options.watched.kinds.isSettling(group));
  }

  /** One step of a Work's end. */
  async #remove(work: Work): Promise<number | undefined> {
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

  /** False when it is gone already. */
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

/** Whether the informer shows a later state than a round left. What it does not show yet, it will tell of. */
function hasMoved(informer: Informer, { metadata: left }: AppliedWork): boolean {
  if (!informer.isCurrent || informer.revision < Number(left.resourceVersion)) return false;
  const now = informer.get({ name: left.name ?? '' })?.metadata;
  return now === undefined || Number(now.resourceVersion) > Number(left.resourceVersion);
}

/** Whether the state is the one that the round left, or an earlier one. */
function isWrittenBy(last: LastRound | undefined, now: AppliedWork | undefined): boolean {
  if (last === undefined || now === undefined || last.owner !== now.metadata.uid) return false;
  return Number(now.metadata.resourceVersion) <= Number(last.appliedWorkVersion);
}
