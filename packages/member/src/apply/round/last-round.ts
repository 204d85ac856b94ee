/**
 * What a round leaves for the next one. A successful outcome stays valid while Work and object are unchanged, so the next
 * round sends no request for it. In a Work with one busy or failing object, only that object costs requests.
 */
import type { AppliedWork, Work } from '@flotilla/api';
import type { KubeObject, ObjectVersion } from '@flotilla/kube';
import type { Outcome } from '../manifest/outcome.ts';
import { isPrepared, type Prepared } from './prepare-manifests.ts';
import { isWatchable } from './observed-objects.ts';
import type { Round } from './work-round.ts';

/** Agents of a thousand members keep one for each Work, so it has only what the next round needs. */
export interface LastRound {
  readonly workVersion: string | undefined;
  readonly generation: number | undefined;
  readonly appliedWorkVersion: string | undefined;
  readonly owner: string | undefined;
  /** By ordinal: the manifests of a generation and their order do not change. */
  readonly kept: readonly (KeptOutcome | undefined)[];
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

const noGroups: ReadonlySet<string> = new Set();

export function lastRoundOf(round: Round, before: LastRound | undefined, now: number): LastRound {
  const { work, appliedWork, manifests, outcomes, unknownKinds } = round;
  const shouldMirror = work.spec?.reportBackStrategy?.type === 'Mirror';
  const kept = outcomes.map((outcome, ordinal) => {
    const manifest = manifests[ordinal];
    if (manifest === undefined || !isPrepared(manifest) || !isWatchable(manifest.kind)) return undefined;
    if (!isSuccessful(outcome)) return undefined;
    const old = before?.kept[ordinal];
    return old?.outcome === outcome ? old : { outcome: withoutContent(outcome, shouldMirror), at: now };
  });
  return {
    workVersion: work.metadata.resourceVersion,
    generation: work.metadata.generation,
    appliedWorkVersion: appliedWork.metadata.resourceVersion,
    owner: appliedWork.metadata.uid,
    kept,
    awaitedGroups: unknownKinds.length === 0 ? noGroups : new Set(unknownKinds.map(({ group }) => group)),
    // A mirrored status has an observation time, so each round has something to write.
    isSettled: !shouldMirror && !kept.includes(undefined) && round.heldSince === undefined,
    heldSince: round.heldSince,
  };
}

/** Availability does not matter here: it depends on the object alone. */
function isSuccessful({ result, drifts = [] }: Outcome): boolean {
  return result === 'NoDiffFound' || (result === 'Applied' && drifts.length === 0);
}

/** Of a successful outcome and its object, keeps only the fields that reports need. */
function withoutContent({ identifier, result, live, availability }: Outcome, shouldMirror: boolean): Outcome {
  if (live === undefined) return { identifier, result, availability };
  const { uid = '', resourceVersion = '', generation } = live.metadata;
  const { apiVersion, kind } = live;
  const metadata = { uid, resourceVersion, ...(generation !== undefined && { generation }) };
  const status = shouldMirror && live['status'] !== undefined ? { status: live['status'] } : {};
  const kept: KubeObject = { apiVersion, kind, metadata, ...status };
  return { identifier, result, live: kept, availability };
}

/** The outcome of the last round; undefined if it may be outdated. The caller checks the object itself. */
export function keptOutcome(
  last: LastRound | undefined,
  { identifier }: Prepared,
  { work, appliedWork, now }: { readonly work: Work; readonly appliedWork: AppliedWork; readonly now: number },
): Outcome | undefined {
  if (last?.generation !== work.metadata.generation || last?.owner !== appliedWork.metadata.uid) return undefined;
  const kept = last?.kept[identifier.ordinal];
  return kept !== undefined && now - kept.at < rereadMs ? kept.outcome : undefined;
}

/** Whether a round would find nothing new. The caller checks the objects. */
export function isStillSettled(
  last: LastRound | undefined,
  {
    work,
    appliedWork,
    now,
  }: { readonly work: Work; readonly appliedWork: ObjectVersion | undefined; readonly now: number },
): last is LastRound {
  if (last?.isSettled !== true) return false;
  return (
    last.workVersion === work.metadata.resourceVersion &&
    last.appliedWorkVersion === appliedWork?.resourceVersion &&
    last.kept.every((kept) => kept !== undefined && now - kept.at < rereadMs)
  );
}
