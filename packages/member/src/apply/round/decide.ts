/**
 * What to do next about one manifest. The member is looked at before the first question, and after each answer that is not
 * the end somebody does as told and asks again with what he learned.
 */
import { specHashAnnotation, type ApplyStrategy, type PatchDetail } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { wholeObjectIsMissing } from '../../compare/differences.ts';
import { manifestHash } from '../../compare/manifest-hash.ts';
import { isOwnedBy } from '../../merge/owners.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { judgeTakeOver, type TakeOverTerms } from './take-over.ts';

/** What holds for all manifests of a round. */
export type Terms = TakeOverTerms;

/** How the manifest and the object on the member differ; or why nobody can tell. */
export type Comparison =
  | { readonly differences: readonly PatchDetail[]; readonly isDegraded: boolean }
  | { readonly problem: string };

export type Action =
  | { readonly do: 'compare' }
  | { readonly do: 'take-over'; readonly owners: readonly OwnerReference[] }
  | { readonly do: 'apply' }
  | { readonly do: 'finish'; readonly end: End };

export type End = Pick<Outcome, 'result' | 'problem' | 'drifts' | 'diffs' | 'missingNamespace'>;

/** `comparison` is kept over a take-over: owners do not count in it. */
export function decide(
  manifest: KubeObject,
  live: KubeObject | undefined,
  comparison: Comparison | undefined,
  terms: Terms,
): Action {
  const { strategy, owner } = terms;
  const isOurs = live !== undefined && isOwnedBy(live, owner);
  if (live !== undefined && !isOurs && strategy.whenToTakeOver !== 'Never') {
    return decideTakeOver(live, comparison, terms);
  }
  if (strategy.type === 'ReportDiff') return decideReport(live, comparison);
  if (live !== undefined && !isOurs) return finish({ result: 'NotTakenOver', problem: notOurs });
  return mustLookForDrift(manifest, live, strategy) ? decideByDrift(comparison) : { do: 'apply' };
}

const notOurs =
  'the object was on the member before, and the apply strategy says never to take over; delete it there, or set whenToTakeOver';

function decideTakeOver(live: KubeObject, comparison: Comparison | undefined, terms: Terms): Action {
  const judged = judgeTakeOver(live, terms);
  const failed = (end: Omit<End, 'result'>): Action => finish({ result: 'FailedToTakeOver', ...end });
  if ('problem' in judged) return failed({ problem: judged.problem });
  if (terms.strategy.whenToTakeOver === 'IfNoDiff') {
    if (comparison === undefined) return { do: 'compare' };
    if ('problem' in comparison) return failed({ problem: comparison.problem });
    const { differences: diffs, isDegraded } = comparison;
    if (diffs.length > 0) return failed({ diffs, problem: `${notTakenOverWithDiff}${degradedBecause(isDegraded)}` });
  }
  return { do: 'take-over', owners: judged.owners };
}

const notTakenOverWithDiff =
  'the object was on the member before and differs from the manifest (see diffDetails), so it is not taken over; ' +
  'make the two equal, or set whenToTakeOver';

function decideReport(live: KubeObject | undefined, comparison: Comparison | undefined): Action {
  if (live === undefined) return finish({ result: 'FoundDiff', diffs: [wholeObjectIsMissing] });
  if (comparison === undefined) return { do: 'compare' };
  if ('problem' in comparison) return finish({ result: 'FailedToReportDiff', problem: comparison.problem });
  const { differences: diffs, isDegraded } = comparison;
  if (diffs.length === 0) return finish({ result: 'NoDiffFound' });
  return finish({ result: isDegraded ? 'FoundDiffInDegradedMode' : 'FoundDiff', diffs });
}

/** Only while the same manifest was applied before: a new one overwrites what drifted. */
function mustLookForDrift(manifest: KubeObject, live: KubeObject | undefined, { whenToApply }: ApplyStrategy): boolean {
  if (whenToApply !== 'IfNotDrifted' || live === undefined) return false;
  return live.metadata.annotations?.[specHashAnnotation] === manifestHash(manifest);
}

function decideByDrift(comparison: Comparison | undefined): Action {
  if (comparison === undefined) return { do: 'compare' };
  if ('problem' in comparison) return finish({ result: 'FailedToRunDriftDetection', problem: comparison.problem });
  const { differences: drifts, isDegraded } = comparison;
  if (drifts.length === 0) return { do: 'apply' };
  const problem = `${notAppliedWithDrift}${degradedBecause(isDegraded)}`;
  return finish({ result: isDegraded ? 'FoundDriftsInDegradedMode' : 'FoundDrifts', drifts, problem });
}

const notAppliedWithDrift =
  'the object was changed on the member since it was applied (see driftDetails), and the apply strategy leaves drifts alone; ' +
  'undo the change there, or set whenToApply to Always';

function degradedBecause(isDegraded: boolean): string {
  return isDegraded ? ' (the member calls the manifest invalid, so all fields were compared)' : '';
}

/** The end of a manifest that was applied; what is left of a full comparison is told. */
export function decideAfterApply(comparison: Comparison | undefined): End {
  if (comparison === undefined) return { result: 'Applied' };
  if ('problem' in comparison) {
    return {
      result: 'AppliedWithFailedDriftDetection',
      problem: `applied, but drifts are unknown: ${comparison.problem}`,
    };
  }
  const { differences: drifts } = comparison;
  return drifts.length === 0 ? { result: 'Applied' } : { result: 'Applied', drifts };
}

function finish(end: End): Action {
  return { do: 'finish', end };
}
