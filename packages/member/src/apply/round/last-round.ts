/**
 * What a round leaves for the next one. Outcomes of manifests that are well hold as long as neither the Work nor the object
 * moves, so nobody has to be asked for them again: a Work with one chatty object, or one that fails, costs no more than that.
 */
import type { AppliedWork, Work } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { WorkOutcome } from '../../schedule/work-schedule.ts';
import { identityOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import { canBeWatched } from './observed-objects.ts';
import { outcomeOf, type Round } from './work-round.ts';

export interface LastRound {
  readonly workVersion: string | undefined;
  readonly generation: number | undefined;
  readonly appliedWorkVersion: string | undefined;
  readonly owner: string | undefined;
  readonly outcome: WorkOutcome;
  /** By identity. */
  readonly kept: ReadonlyMap<string, KeptOutcome>;
  /** Groups of kinds that the member does not have. */
  readonly awaitedGroups: ReadonlySet<string>;
  /** Whether another round could find nothing else while nothing moves. */
  readonly isSettled: boolean;
}

interface KeptOutcome {
  readonly outcome: Outcome;
  /** When the member itself was asked. */
  readonly at: number;
}

/** Even where all seems to be as it was, the member itself is asked so often. */
const trustMs = 15 * 60_000;

export function lastRoundOf(round: Round, before: LastRound | undefined, now: number): LastRound {
  const { work, appliedWork, outcomes } = round;
  const mirrors = work.spec?.reportBackStrategy?.type === 'Mirror';
  const kept = new Map(keptOutcomes(round, before, now));
  return {
    workVersion: work.metadata.resourceVersion,
    generation: work.metadata.generation,
    appliedWorkVersion: appliedWork.metadata.resourceVersion,
    owner: appliedWork.metadata.uid,
    outcome: outcomeOf(round),
    kept,
    awaitedGroups: new Set(round.unknownKinds.map(({ group }) => group)),
    // Where statuses go back, the hub wants to hear of them with the time of day.
    isSettled: !mirrors && kept.size === outcomes.length,
  };
}

function* keptOutcomes(
  { work, manifests, outcomes }: Round,
  before: LastRound | undefined,
  now: number,
): Generator<[identity: string, kept: KeptOutcome], void> {
  const mirrors = work.spec?.reportBackStrategy?.type === 'Mirror';
  for (const [ordinal, outcome] of outcomes.entries()) {
    const manifest = manifests[ordinal];
    if (manifest === undefined || !isPrepared(manifest) || !canBeWatched(manifest.kind) || !isWell(outcome)) continue;
    const identity = identityOf(outcome.identifier) ?? '';
    const old = before?.kept.get(identity);
    yield [identity, old?.outcome === outcome ? old : { outcome: slim(outcome, mirrors), at: now }];
  }
}

/** Whether it is available does not matter: that shows in the object, and nowhere else. */
function isWell({ result, drifts = [] }: Outcome): boolean {
  return result === 'NoDiffFound' || (result === 'Applied' && drifts.length === 0);
}

/** Of the object only what reports speak of. */
function slim(outcome: Outcome, mirrors: boolean): Outcome {
  const { live } = outcome;
  if (live === undefined) return outcome;
  const { uid = '', resourceVersion = '', generation } = live.metadata;
  const { apiVersion, kind } = live;
  const metadata = { uid, resourceVersion, ...(generation !== undefined && { generation }) };
  const status = mirrors && live['status'] !== undefined ? { status: live['status'] } : {};
  const kept: KubeObject = { apiVersion, kind, metadata, ...status };
  return { ...outcome, live: kept };
}

/** What the last round found out about a manifest; undefined when that may not be so any more, its object aside. */
export function keptOutcome(
  last: LastRound | undefined,
  { identifier }: Prepared,
  { work, appliedWork, now }: { readonly work: Work; readonly appliedWork: AppliedWork; readonly now: number },
): Outcome | undefined {
  if (last?.generation !== work.metadata.generation || last?.owner !== appliedWork.metadata.uid) return undefined;
  const kept = last?.kept.get(identityOf(identifier) ?? '');
  return kept !== undefined && now - kept.at < trustMs ? kept.outcome : undefined;
}

/** Whether a round would find nothing new, the objects of the Work aside. */
export function isStillSettled(
  last: LastRound | undefined,
  {
    work,
    appliedWork,
    now,
  }: { readonly work: Work; readonly appliedWork: AppliedWork | undefined; readonly now: number },
): last is LastRound {
  if (last?.isSettled !== true) return false;
  return (
    last.workVersion === work.metadata.resourceVersion &&
    last.appliedWorkVersion === appliedWork?.metadata.resourceVersion &&
    last.kept.values().every(({ at }) => now - at < trustMs)
  );
}
