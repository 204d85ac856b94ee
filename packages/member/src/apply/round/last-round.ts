/**
 * What a round leaves for the next one. A successful outcome stays valid while Work and object are unchanged, so the next
 * round sends no request for it. In a Work with one busy or failing object, only that object costs requests.
 */
import type { AppliedWork, Work } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import type { WorkOutcome } from '../../schedule/work-schedule.ts';
import { identityOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import { isWatchable } from './observed-objects.ts';
import { outcomeOf, type Round } from './work-round.ts';

export interface LastRound {
  readonly workVersion: string | undefined;
  readonly generation: number | undefined;
  readonly appliedWorkVersion: string | undefined;
  readonly owner: string | undefined;
  readonly outcome: WorkOutcome;
  /** By identity. */
  readonly kept: ReadonlyMap<string, KeptOutcome>;
  /** Groups of kinds that the member does not serve. */
  readonly awaitedGroups: ReadonlySet<string>;
  /** Whether another round would have the same result while nothing changes. */
  readonly isSettled: boolean;
  readonly heldSince: Round['heldSince'];
}

interface KeptOutcome {
  readonly outcome: Outcome;
  /** When the object was last read from the member. */
  readonly at: number;
}

/** Objects are read from the member this often even if no change is known. */
const rereadMs = 15 * 60_000;

export function lastRoundOf(round: Round, before: LastRound | undefined, now: number): LastRound {
  const { work, appliedWork, outcomes } = round;
  const shouldMirror = work.spec?.reportBackStrategy?.type === 'Mirror';
  const kept = new Map(keptOutcomes(round, before, now));
  return {
    workVersion: work.metadata.resourceVersion,
    generation: work.metadata.generation,
    appliedWorkVersion: appliedWork.metadata.resourceVersion,
    owner: appliedWork.metadata.uid,
    outcome: outcomeOf(round),
    kept,
    awaitedGroups: new Set(round.unknownKinds.map(({ group }) => group)),
    // A mirrored status has an observation time, so each round has something to write.
    isSettled: !shouldMirror && kept.size === outcomes.length && round.heldSince === undefined,
    heldSince: round.heldSince,
  };
}

function* keptOutcomes(
  { work, manifests, outcomes }: Round,
  before: LastRound | undefined,
  now: number,
): Generator<[identity: string, kept: KeptOutcome], void> {
  const shouldMirror = work.spec?.reportBackStrategy?.type === 'Mirror';
  for (const [ordinal, outcome] of outcomes.entries()) {
    const manifest = manifests[ordinal];
    if (manifest === undefined || !isPrepared(manifest) || !isWatchable(manifest.kind)) continue;
    if (!isSuccessful(outcome)) continue;
    const identity = identityOf(outcome.identifier) ?? '';
    const old = before?.kept.get(identity);
    yield [identity, old?.outcome === outcome ? old : { outcome: withoutContent(outcome, shouldMirror), at: now }];
  }
}

/** Availability does not matter here: it depends on the object alone. */
function isSuccessful({ result, drifts = [] }: Outcome): boolean {
  return result === 'NoDiffFound' || (result === 'Applied' && drifts.length === 0);
}

/** Keeps only those fields of the object that reports need. */
function withoutContent(outcome: Outcome, shouldMirror: boolean): Outcome {
  const { live } = outcome;
  if (live === undefined) return outcome;
  const { uid = '', resourceVersion = '', generation } = live.metadata;
  const { apiVersion, kind } = live;
  const metadata = { uid, resourceVersion, ...(generation !== undefined && { generation }) };
  const status = shouldMirror && live['status'] !== undefined ? { status: live['status'] } : {};
  const kept: KubeObject = { apiVersion, kind, metadata, ...status };
  return { ...outcome, live: kept };
}

/** The outcome of the last round; undefined if it may be outdated. The caller checks the object itself. */
export function keptOutcome(
  last: LastRound | undefined,
  { identifier }: Prepared,
  { work, appliedWork, now }: { readonly work: Work; readonly appliedWork: AppliedWork; readonly now: number },
): Outcome | undefined {
  if (last?.generation !== work.metadata.generation || last?.owner !== appliedWork.metadata.uid) return undefined;
  const kept = last?.kept.get(identityOf(identifier) ?? '');
  return kept !== undefined && now - kept.at < rereadMs ? kept.outcome : undefined;
}

/** Whether a round would find nothing new. The caller checks the objects. */
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
    last.kept.values().every(({ at }) => now - at < rereadMs)
  );
}
