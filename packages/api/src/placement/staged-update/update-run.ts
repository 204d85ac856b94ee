import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { updateRunSpec, updateRunStatus } from './update-run-schema.ts';

export type UpdateRunSpec = Infer<typeof updateRunSpec>;
export type UpdateRunStatus = Infer<typeof updateRunStatus>;
export type UpdateRunState = UpdateRunSpec['state'];

/** One update of a placement whose rollout is External, stage by stage. */
export interface UpdateRun extends KubeObject {
  spec: UpdateRunSpec;
  status?: UpdateRunStatus;
}

export const clusterStagedUpdateRuns: Kind<UpdateRun> = {
  ...placementApi,
  kind: 'ClusterStagedUpdateRun',
  plural: 'clusterstagedupdateruns',
  namespaced: false,
};

export const stagedUpdateRuns: Kind<UpdateRun> = {
  ...placementApi,
  kind: 'StagedUpdateRun',
  plural: 'stagedupdateruns',
  namespaced: true,
};
