import {
  type BackReportedStatus,
  type Condition,
  type DiffDetails,
  type DriftDetails,
  type ManifestCondition,
  manifestConditions,
  withoutCondition,
} from '@flotilla/api';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { withStatement, type Statement } from '../../bounded-condition.ts';
import { appliedStatement, availableStatement, diffReportedStatement, generationOf } from './manifest-conditions.ts';

export interface ManifestReportContext {
  readonly isReportDiff: boolean;
  /** Whether statuses of applied objects are sent back. */
  readonly mirrors: boolean;
  readonly now: string;
}

/** The entry of one manifest; `previous` is what was said of it before. */
export function reportManifest(
  outcome: Outcome,
  previous: ManifestCondition | undefined,
  context: ManifestReportContext,
): ManifestCondition {
  const driftDetails = driftDetailsOf(outcome, previous, context);
  const diffDetails = diffDetailsOf(outcome, previous, context);
  const backReportedStatus = backReportedStatusOf(outcome, context) ?? previous?.backReportedStatus;
  return {
    identifier: outcome.identifier,
    conditions: conditionsOf(outcome, previous, context),
    ...(driftDetails && { driftDetails }),
    ...(diffDetails && { diffDetails }),
    ...(backReportedStatus && { backReportedStatus }),
  };
}

function conditionsOf(
  outcome: Outcome,
  previous: ManifestCondition | undefined,
  { isReportDiff, now }: ManifestReportContext,
): Condition[] {
  const statements: [type: string, statement: Statement | undefined][] = [
    [manifestConditions.applied, appliedStatement(outcome, isReportDiff)],
    [manifestConditions.available, availableStatement(outcome)],
    [manifestConditions.diffReported, diffReportedStatement(outcome, isReportDiff)],
  ];
  return statements.reduce<Condition[]>(
    (conditions, [type, statement]) =>
      statement === undefined ? withoutCondition(conditions, type) : withStatement(conditions, statement, now),
    previous?.conditions ?? [],
  );
}

function driftDetailsOf(
  outcome: Outcome,
  previous: ManifestCondition | undefined,
  { now }: ManifestReportContext,
): DriftDetails | undefined {
  const { drifts = [] } = outcome;
  if (drifts.length === 0) return undefined;
  return {
    observationTime: now,
    observedInMemberClusterGeneration: generationOf(outcome),
    firstDriftedObservedTime: previous?.driftDetails?.firstDriftedObservedTime ?? now,
    observedDrifts: [...drifts],
  };
}

/** Without a generation where the member has no object. */
function diffDetailsOf(
  outcome: Outcome,
  previous: ManifestCondition | undefined,
  { now }: ManifestReportContext,
): DiffDetails | undefined {
  const { diffs = [], live } = outcome;
  if (diffs.length === 0) return undefined;
  return {
    observationTime: now,
    ...(live && { observedInMemberClusterGeneration: generationOf(outcome) }),
    firstDiffedObservedTime: previous?.diffDetails?.firstDiffedObservedTime ?? now,
    observedDiffs: [...diffs],
  };
}

function backReportedStatusOf(
  outcome: Outcome,
  { mirrors, now }: ManifestReportContext,
): BackReportedStatus | undefined {
  const { live } = outcome;
  if (!mirrors || !isApplied(outcome) || live?.['status'] === undefined) return undefined;
  const { apiVersion, kind, status } = live;
  return { observedStatus: { apiVersion, kind, status }, observationTime: now };
}
