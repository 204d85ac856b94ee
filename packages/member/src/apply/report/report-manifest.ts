import {
  type BackReportedStatus,
  type Condition,
  type ConditionState,
  type DiffDetails,
  type DriftDetails,
  type ManifestCondition,
  manifestConditions,
  withoutCondition,
} from '@flotilla/api';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { withBoundedCondition } from '../../bounded-condition.ts';
import { appliedCondition, availableCondition, diffReportedCondition, generationOf } from './manifest-conditions.ts';

export interface ManifestReportContext {
  readonly isReportDiff: boolean;
  /** Whether to copy statuses of applied objects to the Work. */
  readonly shouldMirror: boolean;
  readonly now: string;
}

/** The entry of one manifest; `previous` is its entry in the current status. */
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
  const states: [type: string, state: ConditionState | undefined][] = [
    [manifestConditions.applied, appliedCondition(outcome, isReportDiff)],
    [manifestConditions.available, availableCondition(outcome)],
    [manifestConditions.diffReported, diffReportedCondition(outcome, isReportDiff)],
  ];
  return states.reduce<Condition[]>(
    (conditions, [type, state]) =>
      state === undefined ? withoutCondition(conditions, type) : withBoundedCondition(conditions, state, now),
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

/** Has no generation if the member has no object. */
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
  { shouldMirror, now }: ManifestReportContext,
): BackReportedStatus | undefined {
  const { live } = outcome;
  if (!shouldMirror || !isApplied(outcome) || live?.['status'] === undefined) return undefined;
  const { apiVersion, kind, status } = live;
  return { observedStatus: { apiVersion, kind, status }, observationTime: now };
}
