/** Stopping a run: clusters in flight finish, and nothing else starts. */
import { clusterUpdatingConditions, updateStageConditions, updateStageReasons, type StageStatus } from '@flotilla/api';
import { deletionsIn, settleGone } from './delete-stage.ts';
import { isTrue } from './run-draft.ts';
import type { RunPass } from './run-pass.ts';
import type { RunScope } from './run-scope.ts';
import { inFlight, reportRun } from './update-stage.ts';

/** Returns whether nothing is under way. Throws a RunAbort. */
export function stopStage(pass: RunPass, scope: RunScope, stage: StageStatus, isDeleteStage: boolean): boolean {
  if (pass.isProgressingFor('stopped')) return true;
  pass.progressing(
    'Unknown',
    'stopping',
    'The update run is the process of stopping, waiting for all the updating/deleting clusters to finish updating before completing the stop process',
  );
  const { progressing } = updateStageConditions;
  const stopping = 'Waiting for all the updating clusters to finish updating before completing the stop process';
  pass.draft.set(stage, progressing, 'Unknown', updateStageReasons.stopping, stopping);
  const open = isDeleteStage ? openDeletions(pass, scope, stage) : openUpdates(pass, scope, stage);
  if (open > 0) return false;
  const stopped = 'All the updating clusters have finished updating, the stage is now stopped, waiting to be resumed';
  pass.draft.set(stage, progressing, 'False', updateStageReasons.stopped, stopped);
  return true;
}

function openUpdates(pass: RunPass, scope: RunScope, stage: StageStatus): number {
  const { updating, stuck } = inFlight(pass, scope, stage, true);
  if (stuck.length > 0) reportRun(pass, stage, stuck);
  return updating;
}

/** Deletions that have not begun are left for later. KubeFleet waits for them, and never stops. */
function openDeletions(pass: RunPass, scope: RunScope, stage: StageStatus): number {
  const deletions = deletionsIn(pass, scope, stage);
  settleGone(pass, scope, stage);
  return deletions.filter(({ cluster }) => isTrue(cluster, clusterUpdatingConditions.started)).length;
}
