import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { approvalRequestSpec, approvalRequestStatus } from './approval-request-schema.ts';
import type { updateRunSpec, updateRunStatus } from './update-run-schema.ts';
import type { UpdatePlan } from './update-strategy-schema.ts';

export type UpdateRunSpec = Infer<typeof updateRunSpec>;
export type UpdateRunStatus = Infer<typeof updateRunStatus>;
export type UpdateRunState = UpdateRunSpec['state'];

/** One update of a placement with an External rollout, stage by stage. */
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

export interface UpdateStrategy extends KubeObject {
  spec: UpdatePlan;
}

export const clusterStagedUpdateStrategies: Kind<UpdateStrategy> = {
  ...placementApi,
  kind: 'ClusterStagedUpdateStrategy',
  plural: 'clusterstagedupdatestrategies',
  namespaced: false,
};

export const stagedUpdateStrategies: Kind<UpdateStrategy> = {
  ...placementApi,
  kind: 'StagedUpdateStrategy',
  plural: 'stagedupdatestrategies',
  namespaced: true,
};

export type ApprovalRequestSpec = Infer<typeof approvalRequestSpec>;
export type ApprovalRequestStatus = Infer<typeof approvalRequestStatus>;

export interface ApprovalRequest extends KubeObject {
  spec: ApprovalRequestSpec;
  status?: ApprovalRequestStatus;
}

export const clusterApprovalRequests: Kind<ApprovalRequest> = {
  ...placementApi,
  kind: 'ClusterApprovalRequest',
  plural: 'clusterapprovalrequests',
  namespaced: false,
};

export const approvalRequests: Kind<ApprovalRequest> = {
  ...placementApi,
  kind: 'ApprovalRequest',
  plural: 'approvalrequests',
  namespaced: true,
};
