/**
 * Decides the next action for one manifest. The caller reads the object, executes the action, and calls again with the new
 * state until the action is `finish`.
 */
import { specHashAnnotation, type ApplyStrategy, type PatchDetail } from '@flotilla/api';
import type { KubeObject, OwnerReference } from '@flotilla/kube';
import { wholeObjectIsMissing } from '../../compare/differences.ts';
import { manifestHash } from '../../compare/manifest-hash.ts';
import { isOwnedBy, ownersOf, withoutStaleOwners } from '../../merge/owners.ts';
import { checkOwnersBeforeTakeOver, OwnershipRefusal } from '../../merge/ownership-checks.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { problemOf } from './problem-of.ts';

/** The same for all manifests of a round. */
export interface WorkContext {
  /** The AppliedWork of the Work. */
  readonly owner: OwnerReference;
  readonly strategy: ApplyStrategy;
  /** Whether the hub has a Work of this name for the member. */
  readonly hasWork: (name: string) => boolean;
}

/** The differences between the manifest and the object on the member, or why they could not be compared. */
export type Comparison =
  | { readonly differences: readonly PatchDetail[]; readonly isDegraded: boolean }
  | { readonly problem: string };

export type Action =
  | { readonly do: 'compare' }
  | { readonly do: 'take-over'; readonly owners: readonly OwnerReference[] }
  | { readonly do: 'apply' }
  | { readonly do: 'finish'; readonly outcome: PartialOutcome };

export type PartialOutcome = Pick<Outcome, 'result' | 'problem' | 'drifts' | 'diffs' | 'missingNamespace'>;

/** `comparison` stays valid after a take-over, because it ignores owners. */
export function decide(
  manifest: KubeObject,
  live: KubeObject | undefined,
  comparison: Comparison | undefined,
  context: WorkContext,
): Action {
  const { strategy, owner } = context;
  const isOurs = live !== undefined && isOwnedBy(live, owner);
  if (live !== undefined && !isOurs && strategy.whenToTakeOver !== 'Never') {
    return decideTakeOver(live, comparison, context);
  }
  if (strategy.type === 'ReportDiff') return decideReport(live, comparison);
  if (live !== undefined && !isOurs) return finish({ result: 'NotTakenOver', problem: neverTakenOver });
  return shouldDetectDrift(manifest, live, strategy) ? decideByDrift(comparison) : { do: 'apply' };
}

const neverTakenOver =
  'the object existed on the member before, and whenToTakeOver is Never; delete the object, or change whenToTakeOver';

function decideTakeOver(live: KubeObject, comparison: Comparison | undefined, context: WorkContext): Action {
  const takeOver = ownersAfterTakeOver(live, context);
  const failed = (outcome: Omit<PartialOutcome, 'result'>): Action =>
    finish({ result: 'FailedToTakeOver', ...outcome });
  if ('problem' in takeOver) return failed({ problem: takeOver.problem });
  if (context.strategy.whenToTakeOver === 'IfNoDiff') {
    if (comparison === undefined) return { do: 'compare' };
    if ('problem' in comparison) return failed({ problem: comparison.problem });
    const { differences: diffs, isDegraded } = comparison;
    if (diffs.length > 0) return failed({ diffs, problem: `${notTakenOverWithDiff}${degradedBecause(isDegraded)}` });
  }
  return { do: 'take-over', owners: takeOver.owners };
}

const notTakenOverWithDiff =
  'the object existed on the member before and differs from the manifest (see diffDetails), so it is not taken over; ' +
  'make the two equal, or set whenToTakeOver to Always';

/** Ignores AppliedWorks that an earlier membership left behind. */
function ownersAfterTakeOver(
  live: KubeObject,
  { owner, strategy, hasWork }: WorkContext,
): { readonly owners: readonly OwnerReference[] } | { readonly problem: string } {
  // Names of AppliedWorks are unique, so another owner of our name is deleted.
  const owners = withoutStaleOwners(ownersOf(live), (name) => name !== owner.name && hasWork(name));
  try {
    checkOwnersBeforeTakeOver({ owners, owner, strategy });
    return { owners: [...owners, owner] };
  } catch (error) {
    if (error instanceof OwnershipRefusal) return { problem: problemOf(error) };
    throw error;
  }
}

function decideReport(live: KubeObject | undefined, comparison: Comparison | undefined): Action {
  if (live === undefined) return finish({ result: 'FoundDiff', diffs: [wholeObjectIsMissing] });
  if (comparison === undefined) return { do: 'compare' };
  if ('problem' in comparison) return finish({ result: 'FailedToReportDiff', problem: comparison.problem });
  const { differences: diffs, isDegraded } = comparison;
  if (diffs.length === 0) return finish({ result: 'NoDiffFound' });
  return finish({ result: isDegraded ? 'FoundDiffInDegradedMode' : 'FoundDiff', diffs });
}

/** Drifts count only if this same manifest was applied before. A new manifest overwrites them. */
function shouldDetectDrift(
  manifest: KubeObject,
  live: KubeObject | undefined,
  { whenToApply }: ApplyStrategy,
): boolean {
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
  'the object was changed on the member after it was applied (see driftDetails), and whenToApply is IfNotDrifted; ' +
  'undo the change, or set whenToApply to Always';

function degradedBecause(isDegraded: boolean): string {
  return isDegraded ? ' (the member rejects the manifest as invalid, so all fields were compared)' : '';
}

/** The outcome of an applied manifest, with the drifts that a full comparison still finds. */
export function decideAfterApply(comparison: Comparison | undefined): PartialOutcome {
  if (comparison === undefined) return { result: 'Applied' };
  if ('problem' in comparison) {
    return {
      result: 'AppliedWithFailedDriftDetection',
      problem: `the manifest is applied, but drift detection failed: ${comparison.problem}`,
    };
  }
  const { differences: drifts } = comparison;
  return drifts.length === 0 ? { result: 'Applied' } : { result: 'Applied', drifts };
}

function finish(outcome: PartialOutcome): Action {
  return { do: 'finish', outcome };
}
