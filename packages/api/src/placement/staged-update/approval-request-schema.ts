import { s } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { age, conditionColumn, field } from '../../parts/columns.ts';
import { condition } from '../../parts/condition.ts';
import { placementCategories } from '../../groups.ts';
import { approvalRequests, clusterApprovalRequests } from './staged-update.ts';

export const approvalRequestSpec = s.object(
  'The requester.',
  {
    parentStageRollout: s.string('The update run that waits.'),
    targetStage: s.string('The stage before or after which the run waits.'),
  },
  { rules: [{ rule: 'self == oldSelf', message: 'The spec field is immutable' }] },
);

export const approvalRequestStatus = s.object('The status of the approval.', {
  conditions: s.optional(
    s.listByKey('type', condition, 'Approved is for people or tools to write; ApprovalAccepted says that it was seen.'),
  ),
});

const declared = {
  categories: placementCategories,
  fields: { spec: approvalRequestSpec, status: s.optional(approvalRequestStatus) },
  subresources: { status: {} },
  columns: [
    field('Update-Run', '.spec.parentStageRollout'),
    field('Stage', '.spec.targetStage'),
    conditionColumn('Approved', 'Approved'),
    age,
  ],
};

export const clusterApprovalRequestDefinition = defineVersions(clusterApprovalRequests, {
  ...declared,
  description: 'Requests approval for a ClusterStagedUpdateRun to continue.',
  shortNames: ['careq'],
  versions: { v1: {}, v1alpha1: {}, v1beta1: {} },
});

export const approvalRequestDefinition = defineVersions(approvalRequests, {
  ...declared,
  description: 'Requests approval for a StagedUpdateRun of the namespace to continue.',
  shortNames: ['areq'],
  versions: { v1: {}, v1beta1: {} },
});
