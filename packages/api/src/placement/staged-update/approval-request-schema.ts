import { s } from '@flotilla/schema';
import { defineVersions } from '../../define-versions.ts';
import { age, conditionColumn, field } from '../../parts/columns.ts';
import { condition } from '../../parts/condition.ts';
import { placementCategories } from '../../groups.ts';
import { approvalRequests, clusterApprovalRequests } from './staged-update.ts';

export const approvalRequestSpec = s.object(
  'Who asks.',
  {
    parentStageRollout: s.string('The update run that waits.'),
    targetStage: s.string('The stage before or after which it waits.'),
  },
  { rules: [{ rule: 'self == oldSelf', message: 'The spec field is immutable' }] },
);

export const approvalRequestStatus = s.object('The answer.', {
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
  description: 'A ClusterStagedUpdateRun asks whether it may go on.',
  shortNames: ['careq'],
  versions: { v1: {}, v1alpha1: {}, v1beta1: {} },
});

export const approvalRequestDefinition = defineVersions(approvalRequests, {
  ...declared,
  description: 'A StagedUpdateRun of the namespace asks whether it may go on.',
  shortNames: ['areq'],
  versions: { v1: {}, v1beta1: {} },
});
