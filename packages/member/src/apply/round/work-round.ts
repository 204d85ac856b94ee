/** One round of one Work: applies its manifests and writes the results to its status. */
import {
  type AppliedWork,
  conditionOf,
  type Work,
  workConditions,
  workFinalizer,
  works,
  type WorkStatus,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { jsonEquals, pushAll, type GroupVersionKind } from '@flotilla/kube';
import type { Informer } from '@flotilla/runtime';
import { inParallel, type Clock } from '@flotilla/timing';
import { availabilityOf, type AvailabilityOptions } from '../../availability/availability-of.ts';
import { ownerReferenceTo } from '../../merge/owners.ts';
import { heldReportMs, type WorkOutcome } from '../../schedule/work-schedule.ts';
import { isAboutToBeAvailable } from '../report/is-about-to-be-available.ts';
import { report } from '../report/report.ts';
import {
  createAppliedWork,
  reusableAppliedWork,
  writeAppliedResources,
  type AppliedWorkDependencies,
} from './applied-work.ts';
import { asWritten } from './as-written.ts';
import { removeLeftOver } from './left-overs.ts';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { isPrepared, prepareManifests, type FindKind, type Preparation, type Prepared } from './prepare-manifests.ts';
import { processManifest, type ProcessDependencies } from './process-manifest.ts';
import { strategyOf } from '../manifest/strategy.ts';
import { inWaves } from './waves.ts';
import { firstManifests, writeAhead } from './write-ahead.ts';

export interface RoundOptions extends AppliedWorkDependencies {
  readonly hub: Client;
  readonly clock: Clock;
  readonly works: Informer;
  readonly findKind: FindKind;
  readonly isKnownAbsent: ProcessDependencies['isKnownAbsent'];
  /** The outcome of an earlier round, if it is still valid. */
  readonly knownOutcome: (manifest: Prepared, work: Work, appliedWork: AppliedWork) => Outcome | undefined;
  readonly availability: AvailabilityOptions;
  /** When the report of this generation was first held back, by `clock.elapsed()`. */
  readonly heldSince?: number | undefined;
  /** How many manifests of a wave are applied at once. */
  readonly manifestWorkers: number;
}
export interface Round {
  readonly work: Work;
  readonly appliedWork: AppliedWork;
  readonly manifests: readonly (Prepared | Outcome)[];
  /** One for each manifest, in the same order. */
  readonly outcomes: readonly Outcome[];
  readonly unknownKinds: readonly GroupVersionKind[];
  /** Whether the round wrote the status of the Work. */
  readonly isStatusWritten: boolean;
  /** When the report of this generation was first held back; undefined if it is not. */
  readonly heldSince: number | undefined;
}

/** Rejects if hub or member cannot be written. The next round then continues from what was written. */
export async function runRound(found: Work, options: RoundOptions): Promise<Round> {
  const [work, preparation] = await allOf(withFinalizer(found, options), prepareManifests(found, options.findKind));
  const ready = await prepareToApply(work, preparation, options);
  const { written, appliedWork } = ready;
  const outcomes = await processManifests(ready, preparation, options);
  const heldSince = holdReport(written, outcomes, options);
  const due = heldSince === undefined ? report(written, outcomes, new Date(options.clock.now())) : undefined;
  const isStatusWritten = due?.shouldWrite === true;
  const reported = due?.shouldWrite === true ? await writeStatus(written, due.status, options) : written;
  const listed = await writeAppliedResources(appliedWork, outcomes, options);
  const { manifests, unknownKinds } = preparation;
  return { work: reported, appliedWork: listed, manifests, outcomes, unknownKinds, isStatusWritten, heldSince };
}

/** Since when the report is held back; undefined if it is to be written. */
function holdReport(work: Work, outcomes: readonly Outcome[], { clock, heldSince }: RoundOptions): number | undefined {
  const now = clock.elapsed();
  const since = heldSince ?? now;
  return now - since < heldReportMs && isAboutToBeAvailable(work, outcomes) ? since : undefined;
}

/** What the delay until the next turn depends on. */
export function outcomeOf({ work, outcomes }: Pick<Round, 'work' | 'outcomes'>): WorkOutcome {
  const { generation = 0 } = work.metadata;
  const holds = (type: string): boolean => {
    const condition = conditionOf(work.status?.conditions, type);
    return condition?.status === 'True' && (condition.observedGeneration ?? 0) === generation;
  };
  return {
    generation,
    results: outcomes.map(({ result, availability }) => `${result},${availability?.result ?? 'Skipped'}`),
    isSettled: holds(workConditions.available) || holds(workConditions.diffReported),
  };
}

/** The finalizer comes before the first object, so that the hub keeps the Work until its objects are removed. */
async function withFinalizer(work: Work, { hub, onWritten }: RoundOptions): Promise<Work> {
  const { finalizers = [] } = work.metadata;
  if (finalizers.includes(workFinalizer)) return work;
  // Servers keep the field managers of an object that comes without them.
  const { managedFields: _managers, ...metadata } = work.metadata;
  const sent = { ...work, metadata: { ...metadata, finalizers: [...finalizers, workFinalizer] } };
  const written = asWritten(sent, await hub.update(works, sent, { identityOnly: true }));
  onWritten(works, written);
  return written;
}

/** All that must be written before the first object is applied. */
interface Ready {
  readonly written: Work;
  readonly appliedWork: AppliedWork;
  readonly isFirstRound: boolean;
}

/** Creates the owner, writes ahead, and removes left-overs. */
async function prepareToApply(work: Work, { manifests }: Preparation, options: RoundOptions): Promise<Ready> {
  const { member, clock, manifestWorkers } = options;
  const prepared = manifests.filter(isPrepared);
  const existing = await reusableAppliedWork(work, options);
  const isFirstRound = existing === undefined;
  const create = (first?: string): Promise<AppliedWork> => createAppliedWork(work, first, options);
  const ahead = writeAhead(work, prepared, { now: new Date(clock.now()), appliedWork: existing });
  if (ahead === undefined) return { written: work, appliedWork: existing ?? (await create()), isFirstRound };
  const first = existing === undefined ? firstManifests(work, prepared) : undefined;
  if (first !== undefined) return { written: work, appliedWork: await create(first), isFirstRound };
  const { status, leftOvers } = ahead;
  const isWritten = work.status !== undefined && jsonEquals(work.status, status);
  const write = (): Promise<Work> => (isWritten ? Promise.resolve(work) : writeStatus(work, status, options));
  if (leftOvers.length === 0) {
    const [written, appliedWork] = await allOf(write(), existing === undefined ? create() : Promise.resolve(existing));
    return { written, appliedWork, isFirstRound };
  }
  const appliedWork = existing ?? (await create());
  const owner = ownerReferenceTo(appliedWork);
  await inParallel(leftOvers, manifestWorkers, (leftOver) => removeLeftOver(member, leftOver, owner));
  return { written: await write(), appliedWork, isFirstRound };
}

async function processManifests(
  { written: work, appliedWork, isFirstRound }: Ready,
  { manifests }: Preparation,
  options: RoundOptions,
): Promise<Outcome[]> {
  const { member, isKnownAbsent, knownOutcome, manifestWorkers } = options;
  const { namespace } = work.metadata;
  const strategy = strategyOf(work);
  const owner = ownerReferenceTo(appliedWork);
  const hasWork = (name: string): boolean => options.works.get({ namespace, name }) !== undefined;
  const dependencies = { member, context: { strategy, owner, hasWork }, isKnownAbsent, isFirstRound };

  const outcomes = manifests.flatMap((manifest) => (isPrepared(manifest) ? [] : [manifest]));
  const prepared = manifests.filter(isPrepared);
  for (const wave of strategy.type === 'ReportDiff' ? [prepared] : inWaves(prepared)) {
    const ofWave = await inParallel(
      wave,
      manifestWorkers,
      async (manifest) =>
        knownOutcome(manifest, work, appliedWork) ??
        withAvailability(await processManifest(manifest, dependencies), options.availability),
    );
    pushAll(outcomes, ofWave);
  }
  return outcomes.sort((a, b) => a.identifier.ordinal - b.identifier.ordinal);
}

function withAvailability(outcome: Outcome, options: AvailabilityOptions): Outcome {
  const { identifier, live } = outcome;
  if (!isApplied(outcome) || live === undefined) return outcome;
  const { group = '', version = '', resource = '' } = identifier;
  return { ...outcome, availability: availabilityOf({ group, version, resource }, live, options) };
}

/** Sends the status without the spec, which may be large. */
async function writeStatus(work: Work, status: WorkStatus, { hub, onWritten }: RoundOptions): Promise<Work> {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = work.metadata;
  const { apiVersion, kind } = work;
  const sent = { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
  const result = await hub.update(works, sent, { subresource: 'status', identityOnly: true });
  const written = asWritten({ ...work, status }, result);
  onWritten(works, written);
  return written;
}

/** Waits for both even if one fails, so that no request outlives the round. */
async function allOf<A, B>(...both: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(both);
  return Promise.all(both);
}
