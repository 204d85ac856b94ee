/** What the Works of a binding report, as conditions of the binding. Terminating Works are not among them. */
import {
  bindingConditions,
  bindingReasons,
  workConditions,
  workReasons,
  type Binding,
  type Condition,
  type ConditionState,
  type Work,
} from '@flotilla/api';
import { notYetAppliedSuffix } from '../family/binding-progress.ts';
import { outcomesOf, type Outcomes, type Shown } from './outcomes.ts';
import { currentReport } from './work-report.ts';

export interface Report {
  readonly conditions: readonly ConditionState[];
  readonly outcomes: Outcomes;
}

/** The reports of all Works on one aspect. Works are named in the order of their names. */
type Summary =
  | { readonly is: 'incomplete' | 'false'; readonly work: string }
  | { readonly is: 'true'; readonly conditions: readonly Condition[] };

const nothing: Shown = { failed: false, diffed: false, drifted: false };

export function isReportDiff({ spec }: Readonly<Binding>): boolean {
  return spec.applyStrategy?.type === 'ReportDiff';
}

export function collectReport(binding: Readonly<Binding>, works: readonly Readonly<Work>[]): Report {
  const observedGeneration = binding.metadata.generation ?? 0;
  // No rollout is in progress on a cluster that is to be removed.
  const isInProgress = binding.spec.state !== 'Unscheduled';
  const { states, shown } = isReportDiff(binding) ? diffReport(works, isInProgress) : applyReport(works, isInProgress);
  return {
    conditions: states.map((state) => ({ ...state, observedGeneration })),
    outcomes: outcomesOf(works, shown),
  };
}

interface Aggregate {
  readonly states: readonly ConditionState[];
  readonly shown: Shown;
}

function diffReport(works: readonly Readonly<Work>[], isInProgress: boolean): Aggregate {
  const type = bindingConditions.diffReported;
  const summary = summaryOf(works, workConditions.diffReported);
  if (summary.is === 'true') {
    const message = 'All corresponding work objects have reported diff';
    const state: ConditionState = { type, status: 'True', reason: bindingReasons.allDiffReported, message };
    return { states: [state], shown: { ...nothing, diffed: true } };
  }
  if (isInProgress && isUnreported(works, workConditions.diffReported)) {
    const message = 'Diff reporting on resources is in progress';
    const state: ConditionState = { type, status: 'False', reason: bindingReasons.diffReportInProgress, message };
    return { states: [state], shown: nothing };
  }
  const what = summary.is === 'incomplete' ? 'has not yet completed diff reporting' : 'has failed to report diff';
  const message = `Work object ${summary.work} ${what}`;
  const state: ConditionState = { type, status: 'False', reason: bindingReasons.notAllDiffReported, message };
  return { states: [state], shown: nothing };
}

function applyReport(works: readonly Readonly<Work>[], isInProgress: boolean): Aggregate {
  const type = bindingConditions.applied;
  const summary = summaryOf(works, workConditions.applied);
  if (summary.is === 'true') {
    const message = 'All corresponding work objects are applied';
    const applied: ConditionState = { type, status: 'True', reason: bindingReasons.allApplied, message };
    const { state, shown } = availability(works);
    return { states: [applied, state], shown };
  }
  if (isInProgress && isUnreported(works, workConditions.applied)) {
    const message = 'Resources are being applied';
    const state: ConditionState = { type, status: 'False', reason: bindingReasons.applyInProgress, message };
    return { states: [state], shown: nothing };
  }
  const isIncomplete = summary.is === 'incomplete';
  const message = `Work object ${summary.work} ${isIncomplete ? notYetAppliedSuffix : 'has failed to apply'}`;
  const state: ConditionState = { type, status: 'False', reason: bindingReasons.notAllApplied, message };
  return { states: [state], shown: isIncomplete ? nothing : { failed: true, diffed: true, drifted: true } };
}

/** Of Works that are applied. Drifts are shown even of available ones. */
function availability(works: readonly Readonly<Work>[]): { readonly state: ConditionState; readonly shown: Shown } {
  const type = bindingConditions.available;
  const summary = summaryOf(works, workConditions.available);
  const shown = { failed: summary.is === 'false', diffed: false, drifted: true };
  if (summary.is === 'true') {
    const untrackable = works.find((_work, index) => isUntrackable(summary.conditions[index]));
    const [reason, message] =
      untrackable === undefined
        ? [bindingReasons.allAvailable, 'All corresponding work objects are available']
        : [
            bindingReasons.notAllTrackable,
            `The availability of work object ${untrackable.metadata.name ?? ''} is not trackable`,
          ];
    return { state: { type, status: 'True', reason, message }, shown };
  }
  const what = summary.is === 'incomplete' ? 'has not yet completed availability check' : 'is not yet available';
  const message = `Work object ${summary.work} ${what}`;
  return { state: { type, status: 'False', reason: bindingReasons.notAllAvailable, message }, shown };
}

/** The second spelling is that of later agents of KubeFleet. */
function isUntrackable(condition: Condition | undefined): boolean {
  return (
    condition?.reason === workReasons.notTrackable || condition?.reason === 'SomeManifestsAreNotAvailabilityTrackable'
  );
}

function summaryOf(works: readonly Readonly<Work>[], type: string): Summary {
  const conditions = works.map((work) => currentReport(work, type));
  const incomplete = conditions.findIndex((condition) => condition === undefined);
  if (incomplete >= 0) return { is: 'incomplete', work: works[incomplete]?.metadata.name ?? '' };
  const failed = conditions.findIndex((condition) => condition?.status === 'False');
  if (failed >= 0) return { is: 'false', work: works[failed]?.metadata.name ?? '' };
  return { is: 'true', conditions: conditions.flatMap((condition) => condition ?? []) };
}

function isUnreported(works: readonly Readonly<Work>[], type: string): boolean {
  return works.every((work) => currentReport(work, type) === undefined);
}
