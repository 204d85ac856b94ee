import {
  approvalRequestConditions,
  conditionOf,
  isTrueNow,
  taskTypeLabel,
  type ApprovalRequest,
  type UpdateRun,
} from '@flotilla/api';
import { humanDuration, keyText } from '@flotilla/kube';
import { hasEnded } from '../../placement-view/run-progress.ts';
import type { Column } from '../../terminal/table.ts';

/** An approval request that a run waits for. */
export interface WaitingApproval {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly run: string;
  readonly stage: string;
  /** Whether the run waits before or after the stage; empty if the request does not say. */
  readonly task: string;
  readonly since: string;
}

/** Requests that are not approved and whose run still goes on, oldest first. */
export function waitingApprovals(
  kind: string,
  requests: readonly ApprovalRequest[],
  runs: readonly UpdateRun[],
): WaitingApproval[] {
  const active = new Set(runs.filter((run) => !hasEnded(run)).map(({ metadata }) => keyOf(metadata)));
  return requests
    .filter(({ metadata, spec }) => active.has(keyOf({ ...metadata, name: spec.parentStageRollout })))
    .filter((request) => request.metadata.deletionTimestamp === undefined && !isApproved(request))
    .map(({ metadata, spec }) => ({
      kind,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      name: metadata.name ?? '',
      run: spec.parentStageRollout,
      stage: spec.targetStage,
      task: placeOf(metadata.labels),
      since: metadata.creationTimestamp ?? '',
    }))
    .sort((a, b) => a.since.localeCompare(b.since));
}

export function isApproved({ metadata, status }: ApprovalRequest): boolean {
  const { approved, approvalAccepted } = approvalRequestConditions;
  return [approved, approvalAccepted].some((type) =>
    isTrueNow(conditionOf(status?.conditions, type), metadata.generation),
  );
}

export function approvalColumns(now: Date): readonly Column<WaitingApproval>[] {
  return [
    ['NAMESPACE', ({ namespace = '' }) => namespace],
    ['NAME', ({ name }) => name],
    ['RUN', ({ run }) => run],
    ['STAGE', ({ stage }) => stage],
    ['TASK', ({ task }) => task],
    ['AGE', ({ since }) => humanDuration(now.getTime() - Date.parse(since))],
  ];
}

function placeOf(labels: Readonly<Record<string, string>> = {}): string {
  const type = Object.hasOwn(labels, taskTypeLabel) ? (labels[taskTypeLabel] ?? '') : '';
  return type.replace(/Stage$/, '');
}

function keyOf({ namespace, name = '' }: { readonly namespace?: string; readonly name?: string }): string {
  return keyText({ namespace, name });
}
