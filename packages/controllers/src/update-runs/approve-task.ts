/** Approvals before and after stages. The run asks once, and never takes an approval back. */
import {
  approvalRequestConditions,
  approvalRequestReasons,
  conditionOf,
  isTrueNow,
  latestApprovalLabel,
  stageTaskConditions,
  stageTaskReasons,
  taskTypeLabel,
  updateRunLabel,
  updateStageLabel,
  withCondition,
  type ApprovalRequest,
  type StageTaskStatus,
} from '@flotilla/api';
import { apiVersionOf } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { abortedRun, unexpected } from './run-abort.ts';
import { isTrue } from './run-draft.ts';
import type { RunPass } from './run-pass.ts';
import { pathOf } from './run-scope.ts';

export type TaskPlace = 'before' | 'after';

/** Makes the request if there is none. Returns whether it is approved. Throws a RunAbort if the request is another run's. */
export function isApproved(pass: RunPass, stage: string, place: TaskPlace, task: StageTaskStatus): boolean {
  if (isTrue(task, stageTaskConditions.approvalRequestApproved)) return true;
  const { approvalRequestName: name = '' } = task;
  const request = pass.state.approval(name);
  if (request === undefined) pass.write(creation(pass, stage, place, name));
  const { approvalRequestCreated: created, approvalRequestApproved: approved } = stageTaskConditions;
  pass.draft.set(task, created, 'True', stageTaskReasons.requested, 'ApprovalRequest object is created');
  if (request === undefined || request.metadata.deletionTimestamp !== undefined) return false;
  checkTarget(pass, stage, request);
  const { conditions } = request.status ?? {};
  const isAccepted = isTrueNow(
    conditionOf(conditions, approvalRequestConditions.approvalAccepted),
    request.metadata.generation,
  );
  if (!isAccepted) {
    const answer = conditionOf(conditions, approvalRequestConditions.approved);
    if (!isTrueNow(answer, request.metadata.generation)) return false;
    pass.write(acceptance(pass, request));
  }
  pass.draft.set(task, approved, 'True', stageTaskReasons.approved, 'ApprovalRequest object is approved');
  return true;
}

function creation({ state }: RunPass, stage: string, place: TaskPlace, name: string): Write {
  const { family, run } = state;
  const { namespace, name: runName = '' } = run.metadata;
  const kind = family.approvalRequest;
  const object: ApprovalRequest = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: {
        [updateRunLabel]: runName,
        [updateStageLabel]: stage,
        [taskTypeLabel]: `${place}Stage`,
        [latestApprovalLabel]: 'true',
      },
    },
    spec: { parentStageRollout: runName, targetStage: stage },
  };
  return { verb: 'create', kind, object };
}

function checkTarget({ state }: RunPass, stage: string, request: Readonly<ApprovalRequest>): void {
  const { namespace = '', name = '' } = state.run.metadata;
  const { parentStageRollout, targetStage } = request.spec;
  if (parentStageRollout === name && targetStage === stage) return;
  const is = `update run \`${request.metadata.namespace ?? ''}/${parentStageRollout}\` and stage \`${targetStage}\``;
  const wanted = `update run \`${namespace}/${name} and stage \`${stage}\``;
  const why = `the approval request task \`${pathOf(request)}\` is targeting ${is}, want target ${wanted}`;
  throw abortedRun(unexpected(why));
}

function acceptance({ state, draft }: RunPass, { metadata, status }: Readonly<ApprovalRequest>): Write {
  const { namespace, name = '', resourceVersion = '', generation = 0 } = metadata;
  const accepted = {
    type: approvalRequestConditions.approvalAccepted,
    status: 'True' as const,
    reason: approvalRequestReasons.accepted,
    message: 'The approval request has been approved and cannot be reverted',
    observedGeneration: generation,
  };
  const conditions = withCondition(status?.conditions ?? [], accepted, draft.now);
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  return {
    verb: 'patch',
    kind: state.family.approvalRequest,
    key: { namespace, name },
    subresource: 'status',
    patch,
  };
}
