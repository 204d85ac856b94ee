/** One round of one Work: look at both sides, apply what is to be applied, and tell the hub what became of it. */
import {
  type AppliedWork,
  appliedWorks,
  conditionOf,
  type Work,
  workConditions,
  workFinalizer,
  works,
  type WorkStatus,
} from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, jsonEquals, pushAll, type GroupVersionKind, type Kind } from '@flotilla/kube';
import { NotYet, type Informer } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { AppliedWorkKind } from '../../applied-work-kind.ts';
import { availabilityOf, type AvailabilityOptions } from '../../availability/availability-of.ts';
import { ownerReferenceTo } from '../../merge/owners.ts';
import { pollMs, type WorkOutcome } from '../../schedule/work-schedule.ts';
import { report } from '../report/report.ts';
import { newAppliedWork, updatedAppliedWork } from './applied-work.ts';
import { inParallel } from './in-parallel.ts';
import { removeLeftOver } from './left-overs.ts';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { isPrepared, prepareManifests, type FindKind, type Preparation, type Prepared } from './prepare-manifests.ts';
import { processManifest, type Surroundings } from './process-manifest.ts';
import { strategyOf } from '../manifest/strategy.ts';
import { inWaves } from './waves.ts';
import { writeAhead } from './write-ahead.ts';

export interface RoundOptions {
  readonly hub: Client;
  readonly member: Client;
  readonly clock: Clock;
  readonly works: Informer;
  readonly appliedWorks: Informer;
  /** Hears of every Work and AppliedWork that was written, as the server answered. */
  readonly wrote: (kind: Kind, object: Work | AppliedWork) => void;
  /** Sends a request that fails where the member does not serve the kind. */
  readonly requestAppliedWork: AppliedWorkKind['request'];
  readonly findKind: FindKind;
  readonly isKnownAbsent: Surroundings['isKnownAbsent'];
  /** What an earlier round found out and still holds. */
  readonly known: (manifest: Prepared, work: Work, appliedWork: AppliedWork) => Outcome | undefined;
  readonly availability: AvailabilityOptions;
  /** How many manifests of a wave are worked on at once. */
  readonly manifestWorkers: number;
}

/** What a round leaves behind. */
export interface Round {
  readonly work: Work;
  readonly appliedWork: AppliedWork;
  readonly manifests: readonly (Prepared | Outcome)[];
  /** One for each manifest, in the same order. */
  readonly outcomes: readonly Outcome[];
  readonly unknownKinds: readonly GroupVersionKind[];
  /** Whether the hub was told something. */
  readonly isNews: boolean;
}

/** Throws when either side cannot be written to; whatever was done by then is found by the next round. */
export async function runRound(found: Work, options: RoundOptions): Promise<Round> {
  const [work, preparation] = await allOf(withFinalizer(found, options), prepareManifests(found, options.findKind));
  const { written, appliedWork } = await announce(work, preparation, options);
  const outcomes = await processManifests(written, preparation, appliedWork, options);
  const { status, isNews } = report(written, outcomes, new Date(options.clock.now()));
  const reported = isNews ? await writeStatus(written, status, options) : written;
  const updated = updatedAppliedWork(appliedWork, outcomes);
  const remembered = updated === undefined ? appliedWork : await writeAppliedStatus(updated, options);
  const { manifests, unknownKinds } = preparation;
  return { work: reported, appliedWork: remembered, manifests, outcomes, unknownKinds, isNews };
}

/** What decides when the Work is looked at again. */
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

/** Nothing may get onto the member before the hub promises to wait for its removal. */
async function withFinalizer(work: Work, { hub, wrote }: RoundOptions): Promise<Work> {
  const { finalizers = [] } = work.metadata;
  if (finalizers.includes(workFinalizer)) return work;
  const metadata = { ...work.metadata, finalizers: [...finalizers, workFinalizer] };
  const updated = await hub.update(works, { ...work, metadata });
  wrote(works, updated);
  return updated;
}

/** Who will own what is applied, and the hub's knowledge of what is about to be: both before the first object. */
async function announce(work: Work, { manifests }: Preparation, options: RoundOptions) {
  const { member, clock, manifestWorkers } = options;
  const ahead = writeAhead(work, manifests.filter(isPrepared), new Date(clock.now()));
  if (ahead === undefined) return { written: work, appliedWork: await ensureAppliedWork(work, options) };
  const { status, leftOvers } = ahead;
  const isKnown = work.status !== undefined && jsonEquals(work.status, status);
  const tell = (): Promise<Work> => (isKnown ? Promise.resolve(work) : writeStatus(work, status, options));
  if (leftOvers.length === 0) {
    const [written, appliedWork] = await allOf(tell(), ensureAppliedWork(work, options));
    return { written, appliedWork };
  }
  const appliedWork = await ensureAppliedWork(work, options);
  const owner = ownerReferenceTo(appliedWork);
  await inParallel(leftOvers, manifestWorkers, (leftOver) => removeLeftOver(member, leftOver, owner));
  return { written: await tell(), appliedWork };
}

/** An AppliedWork of the same name is taken as it is: an earlier membership may have left it, with all that it owns. */
async function ensureAppliedWork(work: Work, options: RoundOptions): Promise<AppliedWork> {
  const { name = '' } = work.metadata;
  const existing = await findAppliedWork(name, options);
  if (existing?.metadata.deletionTimestamp !== undefined) {
    throw new NotYet(`the AppliedWork ${name} is being deleted with all that it owns`, pollMs.goingAppliedWork);
  }
  if (existing !== undefined) return existing;
  const created = await options.requestAppliedWork(() => options.member.create(appliedWorks, newAppliedWork(work)));
  options.wrote(appliedWorks, created);
  return created;
}

export async function findAppliedWork(
  name: string,
  { member, appliedWorks: informer }: Pick<RoundOptions, 'member' | 'appliedWorks'>,
): Promise<AppliedWork | undefined> {
  if (informer.isCurrent) return informer.get({ name }) as AppliedWork | undefined;
  return member.get(appliedWorks, { name }).catch(ignoreNotFound);
}

async function processManifests(
  work: Work,
  { manifests }: Preparation,
  appliedWork: AppliedWork,
  options: RoundOptions,
): Promise<Outcome[]> {
  const { member, isKnownAbsent, known, manifestWorkers } = options;
  const { namespace } = work.metadata;
  const strategy = strategyOf(work);
  const owner = ownerReferenceTo(appliedWork);
  const hasWork = (name: string): boolean => options.works.get({ namespace, name }) !== undefined;
  const surroundings = { member, terms: { strategy, owner, hasWork }, isKnownAbsent };

  const outcomes = manifests.flatMap((manifest) => (isPrepared(manifest) ? [] : [manifest]));
  const prepared = manifests.filter(isPrepared);
  for (const wave of strategy.type === 'ReportDiff' ? [prepared] : inWaves(prepared)) {
    const ofWave = await inParallel(
      wave,
      manifestWorkers,
      async (manifest) =>
        known(manifest, work, appliedWork) ??
        withAvailability(await processManifest(manifest, surroundings), options.availability),
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

/** A status goes without the rest of the Work: the server has that, and it may be large. */
async function writeStatus(work: Work, status: WorkStatus, { hub, wrote }: RoundOptions): Promise<Work> {
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = work.metadata;
  const { apiVersion, kind } = work;
  const sent = { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
  const written = await hub.update(works, sent, { subresource: 'status' });
  wrote(works, written);
  return written;
}

async function writeAppliedStatus(updated: AppliedWork, options: RoundOptions): Promise<AppliedWork> {
  const written = await options.member.update(appliedWorks, updated, { subresource: 'status' });
  options.wrote(appliedWorks, written);
  return written;
}

/** Both at once; when one fails the other is waited for, so that nothing goes on behind a round's back. */
async function allOf<A, B>(...both: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(both);
  return Promise.all(both);
}
