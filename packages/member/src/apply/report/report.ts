/** The status of a Work after a round. Pure: the same outcomes at the same time give the same status. */
import {
  type Condition,
  type ConditionState,
  type ManifestCondition,
  type PatchDetail,
  withoutCondition,
  type Work,
  workConditions,
  type WorkResourceIdentifier,
  type WorkStatus,
} from '@flotilla/api';
import { byteLength, jsonEquals, maxPerCharacter, plainJsonSize, stringifyJson, wireTime } from '@flotilla/kube';
import { withBoundedCondition } from '../../bounded-condition.ts';
import { identityOf } from '../manifest/identifier.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { strategyOf } from '../manifest/strategy.ts';
import { reportManifest } from './report-manifest.ts';
import {
  workAppliedCondition,
  workAvailableCondition,
  workDiffReportedCondition,
  workTrimmedCondition,
  type WorkFacts,
} from './work-conditions.ts';

export interface Report {
  readonly status: WorkStatus;
  /** False if the hub already has this status. */
  readonly shouldWrite: boolean;
}

export function report(work: Work, outcomes: readonly Outcome[], now: Date): Report {
  const isReportDiff = strategyOf(work).type === 'ReportDiff';
  const shouldMirror = work.spec?.reportBackStrategy?.type === 'Mirror';
  const facts = { generation: work.metadata.generation ?? 0, isReportDiff, outcomes };
  const previous = new PreviousManifests(work.status?.manifestConditions ?? []);
  const context = { isReportDiff, shouldMirror, now: wireTime(now) };
  const manifests = outcomes.map((outcome) => reportManifest(outcome, previous.take(outcome.identifier), context));
  const status = bounded(work, facts, statusOf(work, facts, manifests, context.now), context.now);
  // Drifts, diffs and mirrored statuses have an observation time, which is written even if nothing else changes.
  const isDated = shouldMirror || outcomes.some(({ drifts = [], diffs = [] }) => drifts.length + diffs.length > 0);
  return { status, shouldWrite: isDated || !isSame(work.status, status) };
}

function statusOf(work: Work, facts: WorkFacts, manifestConditions: ManifestCondition[], now: string): WorkStatus {
  const states: [type: string, state: ConditionState | undefined][] = [
    [workConditions.applied, workAppliedCondition(facts)],
    [workConditions.available, workAvailableCondition(facts)],
    [workConditions.diffReported, workDiffReportedCondition(facts)],
  ];
  const before: readonly Condition[] = withoutCondition(work.status?.conditions ?? [], workConditions.statusTrimmed);
  const conditions = states.reduce(
    (all, [type, state]) => (state === undefined ? withoutCondition(all, type) : withBoundedCondition(all, state, now)),
    before,
  );
  return { conditions: [...conditions], manifestConditions };
}

function isSame(old: WorkStatus | undefined, status: WorkStatus): boolean {
  const conditions = old?.conditions ?? [];
  const manifestConditions = old?.manifestConditions ?? [];
  return old !== undefined && jsonEquals({ conditions, manifestConditions }, status);
}

/**
 * The previous entries of a status, by the object they are about, so that times survive a reordering of manifests.
 * Manifests without an identity are found by their ordinal.
 */
class PreviousManifests {
  readonly #byIdentity = new Map<string, ManifestCondition[]>();

  constructor(manifests: readonly ManifestCondition[]) {
    for (const manifest of manifests) {
      const identity = identityOrOrdinal(manifest.identifier);
      const alike = this.#byIdentity.get(identity);
      if (alike === undefined) this.#byIdentity.set(identity, [manifest]);
      else alike.push(manifest);
    }
  }

  /** Call once for each manifest, in order: several may have the same identity. */
  take(identifier: WorkResourceIdentifier): ManifestCondition | undefined {
    return this.#byIdentity.get(identityOrOrdinal(identifier))?.shift();
  }
}

function identityOrOrdinal(identifier: WorkResourceIdentifier): string {
  return identityOf(identifier) ?? `#${identifier.ordinal}`;
}

/** A request may have 1.5 MiB; this leaves room for what the server adds. */
const maxWorkBytes = 1_415_578;

/** An oversized status loses its details, because the hub would refuse it as a whole. */
function bounded(work: Work, facts: WorkFacts, status: WorkStatus, now: string): WorkStatus {
  const reported = { ...work, status };
  if (plainJsonSize(reported).bytes * maxPerCharacter <= maxWorkBytes) return status;
  const excessBytes = byteLength(stringifyJson(reported)) - maxWorkBytes;
  if (excessBytes <= 0) return status;
  const before = (work.status?.conditions ?? []).filter(({ type }) => type === workConditions.statusTrimmed);
  const conditions = withBoundedCondition(
    [...status.conditions, ...before],
    workTrimmedCondition(facts, excessBytes),
    now,
  );
  return { ...status, conditions, manifestConditions: (status.manifestConditions ?? []).map(trimmed) };
}

/** Keeps the first path that differs, without values. */
function trimmed(manifest: ManifestCondition): ManifestCondition {
  const { backReportedStatus: _, driftDetails, diffDetails, ...rest } = manifest;
  return {
    ...rest,
    ...(driftDetails && {
      driftDetails: { ...driftDetails, observedDrifts: summary(driftDetails.observedDrifts ?? []) },
    }),
    ...(diffDetails && { diffDetails: { ...diffDetails, observedDiffs: summary(diffDetails.observedDiffs ?? []) } }),
  };
}

const omitted = '(omitted)';

function summary(details: readonly PatchDetail[]): PatchDetail[] {
  const [first] = details;
  if (first === undefined) return [];
  const path = details.length === 1 ? first.path : `${first.path} and ${details.length - 1} more path(s)`;
  return [{ path, valueInMember: omitted, valueInHub: omitted }];
}
