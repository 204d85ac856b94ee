/** The conditions of one manifest. Undefined means: no such condition, and an earlier one is removed. */
import {
  manifestAppliedReasons,
  manifestAvailableReasons,
  manifestConditions,
  manifestDiffReportedReasons,
  type ConditionState,
} from '@flotilla/api';
import { isApplied, type Outcome } from '../manifest/outcome.ts';

/** The generation of the object on the member, which conditions of a manifest refer to; 0 if there is no object. */
export function generationOf({ live }: Pick<Outcome, 'live'>): number {
  return live?.metadata.generation ?? 0;
}

export function appliedCondition(outcome: Outcome, isReportDiff: boolean): ConditionState | undefined {
  if (isReportDiff) return undefined;
  const { result, problem } = outcome;
  const about = { type: manifestConditions.applied, observedGeneration: generationOf(outcome) };
  if (result === manifestAppliedReasons.applied) {
    return { ...about, status: 'True', reason: result, message: 'the object on the member matches the manifest' };
  }
  const message = problem ?? 'the manifest was not applied';
  return { ...about, status: isApplied(outcome) ? 'True' : 'False', reason: result, message };
}

export function availableCondition(outcome: Outcome): ConditionState | undefined {
  const { availability } = outcome;
  if (availability === undefined) return undefined;
  const about = { type: manifestConditions.available, observedGeneration: generationOf(outcome) };
  switch (availability.result) {
    case manifestAvailableReasons.available:
      return { ...about, status: 'True', reason: availability.result, message: 'the object is available' };
    case manifestAvailableReasons.notTrackable: {
      const message = 'the availability of this kind cannot be tracked, so the object counts as available';
      return { ...about, status: 'True', reason: availability.result, message };
    }
    case manifestAvailableReasons.notAvailableYet: {
      const message = 'the object is not available yet; the agent watches it';
      return { ...about, status: 'False', reason: availability.result, message };
    }
    case manifestAvailableReasons.failed:
      return { ...about, status: 'False', reason: availability.result, message: availability.problem };
  }
}

export function diffReportedCondition(outcome: Outcome, isReportDiff: boolean): ConditionState | undefined {
  if (!isReportDiff) return undefined;
  const { result, problem } = outcome;
  const about = { type: manifestConditions.diffReported, observedGeneration: generationOf(outcome) };
  const found = diffMessages.get(result);
  if (found !== undefined) return { ...about, status: 'True', reason: result, message: found };
  const message = problem ?? 'the manifest could not be compared with the object on the member';
  return { ...about, status: 'False', reason: manifestDiffReportedReasons.failedToReportDiff, message };
}

const diffMessages: ReadonlyMap<string, string> = new Map([
  [manifestDiffReportedReasons.noDiffFound, 'the object on the member matches the manifest'],
  [manifestDiffReportedReasons.foundDiff, 'the object on the member differs from the manifest; see diffDetails'],
  [
    manifestDiffReportedReasons.foundDiffInDegradedMode,
    'the object on the member differs from the manifest; the member rejects the manifest as invalid, so all fields were ' +
      'compared, including those that the manifest does not set',
  ],
]);
