/** What is done about a Work when its turn comes: nothing, a round, or the next step of its end. */
import { appliedWorks, works, type AppliedWork, type Work } from '@flotilla/api';
import type { Client, Clock } from '@flotilla/client';
import { ApiError, type MetricsRegistry } from '@flotilla/kube';
import type { RequeueSchedule, WorkOutcome } from '../schedule/requeue-schedule.ts';
import type { Sighting } from './applied-objects.ts';
import type { ApplierLimits } from './applier-options.ts';
import { decideDeletion, unblockDeletion, withoutFinalizer } from './delete-work.ts';
import type { MemberSide } from './member-side.ts';
import type { NewestObjects } from './newest-objects.ts';
import { isSettled, sightingsOf } from './sightings.ts';
import { workMetrics } from './work-metrics.ts';
import { findAppliedWork, outcomeOf, runRound, type Round, type RoundOptions } from './work-round.ts';

export interface WorkTurnsOptions {
  /** The member's, on the hub. */
  readonly namespace: string;
  readonly hub: Client;
  readonly member: Client;
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  readonly limits: ApplierLimits;
  readonly trackJobs?: boolean;
  readonly works: NewestObjects<Work>;
  readonly schedule: RequeueSchedule;
  readonly side: MemberSide;
  readonly wake: (work: string) => void;
}

/** A round that ended well, and the versions of both sides that it left. */
interface Settled {
  readonly workVersion: string | undefined;
  readonly appliedWorkVersion: string | undefined;
  readonly outcome: WorkOutcome;
  readonly at: number;
}

/** Even where all seems to be as it was, the member itself is asked so often. */
const trustMs = 15 * 60_000;

/** While an end takes its time, a look at what is known already costs nothing. */
const deletionPollMs = 30_000;

/** How soon to look for a kind whose definition has just come. */
const settlingPollMs = 250;

export class WorkTurns {
  readonly #options: WorkTurnsOptions;
  readonly #roundOptions: RoundOptions;
  readonly #count: ReturnType<typeof workMetrics>;
  readonly #settled = new Map<string, Settled>();
  /** Groups of kinds that the member does not have, by Work. */
  readonly #awaited = new Map<string, ReadonlySet<string>>();
  /** What a round in work knows of its AppliedWork is newer than what is told of it. */
  readonly #inRound = new Set<string>();

  constructor(options: WorkTurnsOptions) {
    const { hub, member, clock, side, limits, trackJobs = false } = options;
    this.#options = options;
    this.#count = workMetrics(options.metrics);
    this.#roundOptions = {
      hub,
      member,
      clock,
      works: options.works,
      appliedWorks: side.appliedWorks,
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
    const settled = this.#settled.get(name);
    if (settled !== undefined && this.#isAsLeft(work, settled)) {
      return this.#options.schedule.delayAfter(name, settled.outcome);
    }
    this.#settled.delete(name);
    const round = await this.#round(name, work);
    this.#count(round.work);
    if (this.#isKindComing(round)) return settlingPollMs;
    return this.#options.schedule.delayAfter(name, outcomeOf(round));
  }

  forget(work: string): void {
    this.#settled.delete(work);
    this.#awaited.delete(work);
    this.#options.side.objects.forget(work);
  }

  kindsChanged(group: string): void {
    for (const [work, groups] of this.#awaited) if (groups.has(group)) this.#options.wake(work);
  }

  appliedWorkChanged(work: string): void {
    const { works: newest, namespace, wake } = this.#options;
    const isOurs = newest.get({ namespace, name: work }) !== undefined;
    if (isOurs && !this.#inRound.has(work)) wake(work);
  }

  /** Whether neither side has moved since the last round ended well. */
  #isAsLeft({ metadata: { name = '', resourceVersion } }: Work, settled: Settled): boolean {
    const { clock, side } = this.#options;
    return (
      settled.workVersion === resourceVersion &&
      side.appliedWorks.isTrusted &&
      settled.appliedWorkVersion === side.appliedWorks.get({ name })?.metadata.resourceVersion &&
      side.objects.areAsSeen(name) &&
      clock.now() - settled.at < trustMs
    );
  }

  async #round(name: string, work: Work): Promise<Round> {
    const { objects, appliedWorks: newest } = this.#options.side;
    let sightings: readonly Sighting[] | undefined;
    objects.beginRound(name);
    this.#inRound.add(name);
    try {
      const round = await runRound(work, this.#roundOptions);
      sightings = sightingsOf(round);
      this.#remember(name, round);
      const isMoved = newest.isTrusted && !isSameVersion(newest.get({ name }), round.appliedWork);
      if (isMoved) this.#options.wake(name);
      return round;
    } finally {
      this.#inRound.delete(name);
      objects.endRound(name, sightings);
    }
  }

  #remember(name: string, round: Round): void {
    const { work, appliedWork, unknownKinds } = round;
    if (unknownKinds.length === 0) this.#awaited.delete(name);
    else this.#awaited.set(name, new Set(unknownKinds.map(({ group }) => group)));
    if (!isSettled(round)) return;
    this.#settled.set(name, {
      workVersion: work.metadata.resourceVersion,
      appliedWorkVersion: appliedWork.metadata.resourceVersion,
      outcome: outcomeOf(round),
      at: this.#options.clock.now(),
    });
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

function isSameVersion(a: AppliedWork | undefined, b: AppliedWork): boolean {
  return a?.metadata.resourceVersion === b.metadata.resourceVersion;
}
