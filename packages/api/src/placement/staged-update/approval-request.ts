import type { Kind, KubeObject } from '@flotilla/kube';
import type { Infer } from '@flotilla/schema';
import { placementApi } from '../../groups.ts';
import type { approvalRequestSpec, approvalRequestStatus } from './approval-request-schema.ts';

export type ApprovalRequestSpec = Infer<typeof approvalRequestSpec>;
export type ApprovalRequestStatus = Infer<typeof approvalRequestStatus>;

/** Asks whether an update run may go on. */
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
