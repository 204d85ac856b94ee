/** How far one stage of an update run has come. */
import { s, type Infer } from '@flotilla/schema';
import { condition } from '../../parts/condition.ts';
import { overrideSnapshots } from '../parts/override-snapshots.ts';
import { taskType } from './update-stage.ts';

const clusterUpdatingStatus = s.object('How far one cluster has come.', {
  clusterName: s.string('The cluster.'),
  ...overrideSnapshots,
  conditions: s.optional(s.listByKey('type', condition, 'Whether its update has started, and whether it succeeded.')),
});

const stageTaskStatus = s.object('How far one task has come.', {
  type: taskType,
  approvalRequestName: s.optional(s.string('The approval request that waits for an answer.')),
  conditions: s.optional(
    s.listByKey('type', condition, 'Whether the request was made and approved, or the time has passed.'),
  ),
});

const stageFields = {
  stageName: s.string('The stage.'),
  clusters: s.list(clusterUpdatingStatus, 'Its clusters, in the order in which they are updated.'),
  beforeStageTaskStatus: s.optional(s.list(stageTaskStatus, 'The tasks before the stage.', { maxItems: 1 })),
  afterStageTaskStatus: s.optional(s.list(stageTaskStatus, 'The tasks after the stage.', { maxItems: 2 })),
  startTime: s.optional(s.dateTime('When the stage began.')),
  endTime: s.optional(s.dateTime('When the stage ended, well or not.')),
  conditions: s.optional(s.listByKey('type', condition, 'Whether the stage goes on, and whether it succeeded.')),
};

export const stageStatus = s.object('How far one stage has come.', stageFields);

/** After all stages, and in none of them. */
export const deletionStageStatus = s.object('How far the clusters have come that lose the resources.', stageFields);

export type StageStatus = Infer<typeof stageStatus>;
export type ClusterUpdatingStatus = Infer<typeof clusterUpdatingStatus>;
export type StageTaskStatus = Infer<typeof stageTaskStatus>;
