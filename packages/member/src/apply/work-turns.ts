/** What is done about a Work when its turn comes: nothing, a round, or the next step of its end. */
import { appliedWorks, works, type AppliedWork, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ApiError, type Logger, type MetricsRegistry } from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { writtenAs, type Informer, type OwnWrites, type Written } from '@flotilla/runtime';
import type { RequeueSchedule } from '../schedule/requeue-schedule.ts';
import type { Sighting } from './watch/applied-objects.ts';
import type { ApplierLimits, ApplierOptions } from './applier-options.ts';
import { decideDeletion, unblockDeletion, withoutFinalizer } from './delete-work.ts';
import { isStillSettled, keptOutcome, lastRoundOf, type LastRound } from './round/last-round.ts';
import type { MemberSide } from './watch/watched-member.ts';
import { sightingsOf } from './round/sightings.ts';
import { workMetrics } from './work-metrics.ts';
import { findAppliedWork, outcomeOf, runRound, type Round, type RoundOptions } from './round/work-round.ts';

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
  readonly schedule: RequeueSchedule;
  readonly side: MemberSide;
  readonly wake: (work: string) => void;
}

/** While an end takes its time, a look at what is known already costs nothing. */
const deletionPollMs = 30_000;

/** How soon to look for a kind whose definition has just come. */
const settlingPollMs = 250;

export class WorkTurns {
  readonly #options: WorkTurnsOptions;
  readonly #roundOptions: Omit<RoundOptions, 'known' | 'wrote'>;
  readonly #count: ReturnType<typeof workMetrics>;
  readonly #lastRounds = new Map<string, LastRound>();
  /** Groups of kinds that the member does not have, by Work. */
  readonly #awaited = new Map<string, ReadonlySet<string>>();
  /** What a round in work knows of its AppliedWork is newer than what is told of it. */
  readonly #inRound = new Set<string>();

  constructor(options: WorkTurnsOptions) {
    const { hub, member, clock, side, limits, appliedWorkKind, trackJobs = false } = options;
    this.#options = options;
    this.#count = workMetrics(options.metrics);
    this.#roundOptions = {
      hub,
      member,
      clock,
      works: options.works,
      appliedWorks: side.appliedWorks,
      requestAppliedWork: (send) => (appliedWorkKind === undefined ? send() : appliedWorkKind.request(send)),
      findKind: (gvk) => side.kinds.find(gvk),
      isKnownAbsent: (manifest) => side.objects.isKnownAbsent(manifest),
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
    if (this.#isKindComing(round)) return settlingPollMs;
    return this.#options.schedule.delayAfter(name, outcomeOf(round));
  }

  forget(work: string): void {
    this.#lastRounds.delete(work);
    this.#awaited.delete(work);
    this.#options.side.objects.forget(work);
  }

  kindsChanged(group: string): void {
    for (const [work, groups] of this.#awaited) if (groups.has(group)) this.#options.wake(work);
  }

  /** Wakes a Work whose AppliedWork is not what its last round left behind. */
  appliedWorkChanged(now: AppliedWork | undefined, old: AppliedWork | undefined): void {
    const { works: informer, namespace, wake } = this.#options;
    const { name = '', uid } = (now ?? old)?.metadata ?? {};
    if (this.#inRound.has(name) || informer.get({ namespace, name }) === undefined) return;
    const last = this.#lastRounds.get(name);
    const isPredecessor = now === undefined && last !== undefined && last.owner !== uid;
    if (!isPredecessor && !isWrittenBy(last, now)) wake(name);
  }

  /** Whether neither side has moved since a round that ended well. */
  #isAsLeft(work: Work, last: LastRound | undefined): last is LastRound {
    const { clock, side } = this.#options;
    const { name = '' } = work.metadata;
    if (!side.appliedWorks.isCurrent || !side.objects.areAsSeen(name)) return false;
    const appliedWork = side.appliedWorks.get({ name }) as AppliedWork | undefined;
    return isStillSettled(last, { work, appliedWork, now: clock.now() });
  }

  async #round(name: string, work: Work, last: LastRound | undefined): Promise<Round> {
    const { side, ownWrites, wake } = this.#options;
    const { objects } = side;
    const written: Written[] = [];
    const wrote: RoundOptions['wrote'] = (kind, object) => written.push(writtenAs(kind, object));
    let sightings: readonly Sighting[] | undefined;
    objects.beginRound(name);
    this.#inRound.add(name);
    try {
      const round = await runRound(work, { ...this.#roundOptions, wrote, known: this.#knownTo(last) });
      sightings = sightingsOf(round);
      this.#remember(name, round, last);
      if (hasMoved(side.appliedWorks, round.appliedWork)) wake(name);
      return round;
    } finally {
      this.#inRound.delete(name);
      ownWrites.add(name, written);
      objects.endRound(name, sightings);
    }
  }

  /** What need not be asked again. */
  #knownTo(last: LastRound | undefined): RoundOptions['known'] {
    const { clock, side } = this.#options;
    return (manifest, work, appliedWork) => {
      if (!side.objects.isAsSeen(work.metadata.name ?? '', manifest)) return undefined;
      return keptOutcome(last, manifest, { work, appliedWork, now: clock.now() });
    };
  }

  #remember(name: string, round: Round, last: LastRound | undefined): void {
    const { unknownKinds } = round;
    if (unknownKinds.length === 0) this.#awaited.delete(name);
    else this.#awaited.set(name, new Set(unknownKinds.map(({ group }) => group)));
    this.#lastRounds.set(name, lastRoundOf(round, last, this.#options.clock.now()));
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
    if (failed.length === 0) logger.debug('a Work is as it should be', { work, manifests: outcomes.length });
    else logger.info('a Work is not as it should be', { work, manifests: outcomes.length, failed });
  }

  #isKindComing({ unknownKinds }: Round): boolean {
    return unknownKinds.some(({ group }) => this.#options.side.kinds.isSettling(group));
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
        return Math.min(step.forMs, deletionPollMs);
      case 'unblock':
        if (appliedWork !== undefined) await unblockDeletion(member, work, appliedWork);
        return deletionPollMs;
      case 'delete':
        return (await this.#deleteAppliedWork(appliedWork, step.propagationPolicy))
          ? deletionPollMs
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
