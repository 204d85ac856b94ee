/** The events about a change of a placement's status. */
import { isTrueNow, type Placement, type PlacementFamily, type PlacementStatus } from '@flotilla/api';
import type { PlannedEvent } from '@flotilla/runtime';
import { backReportProblem, reportsToOriginals } from '../../back-report/back-report-problem.ts';
import type { RolloutAspect } from './condition-texts.ts';
import { differenceEvents } from './difference-events.ts';
import { aspectOf, isRolloutComplete } from './rollout-progress.ts';

/** For conditions that become True. KubeFleet has none for diffReported. */
const rolloutEvents: readonly (readonly [aspect: RolloutAspect, reason: string, message: string])[] = [
  ['rolloutStarted', 'PlacementRolloutStarted', 'Started rolling out the latest resources'],
  ['overridden', 'PlacementOverriddenSucceeded', 'Placement has been successfully overridden'],
  [
    'workSynchronized',
    'PlacementWorkSynchronized',
    'Work(s) have been created or updated successfully for the selected cluster(s)',
  ],
  ['applied', 'PlacementApplied', 'Resources have been applied to the selected cluster(s)'],
  ['available', 'PlacementAvailable', 'Resources are available on the selected cluster(s)'],
];

const completed = {
  reason: 'PlacementRolloutCompleted',
  message: 'Placement has finished the rollout process and reached the desired status',
} as const;

export function statusEvents(
  family: PlacementFamily,
  placement: Readonly<Placement>,
  status: PlacementStatus,
): PlannedEvent[] {
  const about = placement;
  const { generation } = placement.metadata;
  const isTrue = (of: PlacementStatus | undefined, aspect: RolloutAspect) =>
    isTrueNow(aspectOf(family, of, aspect), generation);
  const reached = rolloutEvents.filter(([aspect]) => isTrue(status, aspect) && !isTrue(placement.status, aspect));
  const events: PlannedEvent[] = reached.map(([, reason, message]) => ({ about, type: 'Normal', reason, message }));
  const wasComplete = isRolloutComplete(family, placement, placement.status);
  if (!wasComplete && isRolloutComplete(family, placement, status))
    events.push({ about, type: 'Normal', ...completed });
  return [...events, ...backReportEvents(family, placement), ...differenceEvents(placement, status)];
}

/** Once for each generation of a placement that asks for something that it cannot have. */
function backReportEvents(family: PlacementFamily, placement: Readonly<Placement>): PlannedEvent[] {
  const { metadata, spec, status } = placement;
  const isKnown = aspectOf(family, status, 'scheduled')?.observedGeneration === metadata.generation;
  const problem = reportsToOriginals(spec) ? backReportProblem(spec) : undefined;
  if (isKnown || problem === undefined) return [];
  return [{ about: placement, type: 'Warning', reason: 'StatusBackReportRefused', message: problem }];
}
