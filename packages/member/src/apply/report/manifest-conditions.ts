/** What is said about one manifest. Undefined: nothing, and what was said before is taken back. */
import {
  manifestAppliedReasons,
  manifestAvailableReasons,
  manifestConditions,
  manifestDiffReportedReasons,
} from '@flotilla/api';
import { isApplied, type Outcome } from '../manifest/outcome.ts';
import { type Statement } from '../../bounded-condition.ts';

/** Conditions of a manifest speak of a generation of the member's object; 0 where there is none. */
export function generationOf({ live }: Pick<Outcome, 'live'>): number {
  return live?.metadata.generation ?? 0;
}

export function appliedStatement(outcome: Outcome, isReportDiff: boolean): Statement | undefined {
  if (isReportDiff) return undefined;
  const { result, problem } = outcome;
  const about = { type: manifestConditions.applied, observedGeneration: generationOf(outcome) };
  if (result === manifestAppliedReasons.applied) {
    return { ...about, status: 'True', reason: result, message: 'the object on the member is as the manifest says' };
  }
  const message = problem ?? 'the manifest was not applied';
  return { ...about, status: isApplied(outcome) ? 'True' : 'False', reason: result, message };
}

export function availableStatement(outcome: Outcome): Statement | undefined {
  const { availability } = outcome;
  if (availability === undefined) return undefined;
  const about = { type: manifestConditions.available, observedGeneration: generationOf(outcome) };
  switch (availability.result) {
    case manifestAvailableReasons.available:
      return { ...about, status: 'True', reason: availability.result, message: 'the object is available' };
    case manifestAvailableReasons.notTrackable: {
      const message = 'nobody can tell when an object of this kind is available, so it counts as available';
      return { ...about, status: 'True', reason: availability.result, message };
    }
    case manifestAvailableReasons.notAvailableYet: {
      const message = 'the object is not available yet; it is watched until it is';
      return { ...about, status: 'False', reason: availability.result, message };
    }
    case manifestAvailableReasons.failed:
      return { ...about, status: 'False', reason: availability.result, message: availability.problem };
  }
}

export function diffReportedStatement(outcome: Outcome, isReportDiff: boolean): Statement | undefined {
  if (!isReportDiff) return undefined;
  const { result, problem } = outcome;
  const about = { type: manifestConditions.diffReported, observedGeneration: generationOf(outcome) };
  const found = diffSentences.get(result);
  if (found !== undefined) return { ...about, status: 'True', reason: result, message: found };
  const message = problem ?? 'the manifest could not be compared with the object on the member';
  return { ...about, status: 'False', reason: manifestDiffReportedReasons.failedToReportDiff, message };
}

const diffSentences: ReadonlyMap<string, string> = new Map([
  [manifestDiffReportedReasons.noDiffFound, 'the object on the member is as the manifest says'],
  [manifestDiffReportedReasons.foundDiff, 'the object on the member differs from the manifest; see diffDetails'],
  [
    manifestDiffReportedReasons.foundDiffInDegradedMode,
    'the object on the member differs from the manifest, which the member calls invalid; so all fields were compared, also ' +
      'those that the manifest leaves to the member',
  ],
]);
