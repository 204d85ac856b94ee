import {
  approvalRequestConditions,
  withCondition,
  type ApprovalRequest,
  type Condition,
  type PlacementFamily,
} from '@flotilla/api';
import { ignoreNotFound, type JsonObject } from '@flotilla/kube';
import { UserError } from '../../user-error.ts';
import { changeObject } from '../change-object.ts';
import type { NamespaceFlag, OutputFlag } from '../../session/hub-flags.ts';
import { printList } from '../../terminal/print-list.ts';
import { nowIn, type Session } from '../../session/session.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { approvalColumns, isApproved, waitingApprovals } from './waiting-approvals.ts';

export interface ApproveFlags extends NamespaceFlag, OutputFlag {
  readonly name?: string;
}

/** Approves a request, or lists those that wait. */
export async function approve(
  session: Session,
  { families, name }: ApprovalTarget,
  flags: ApproveFlags,
): Promise<void> {
  const [family] = families;
  if (name === undefined || family === undefined) await listWaiting(session, families, flags);
  else await approveOne(session, family, name, flags);
}

async function listWaiting(session: Session, families: readonly PlacementFamily[], flags: ApproveFlags): Promise<void> {
  const { hub, signal } = session;
  const scope = { signal, ...(flags.namespace !== undefined && { namespace: flags.namespace }) };
  const found = await Promise.all(
    families.map(async ({ approvalRequest, updateRun }) => {
      const [requests, runs] = await Promise.all([hub.list(approvalRequest, scope), hub.list(updateRun, scope)]);
      return waitingApprovals(approvalRequest.kind, requests.items, runs.items);
    }),
  );
  const whenEmpty = 'No run waits for an approval.';
  printList(session, found.flat(), approvalColumns(nowIn(session)), { ...flags, whenEmpty });
}

async function approveOne(
  session: Session,
  family: PlacementFamily,
  given: string,
  { namespace }: NamespaceFlag,
): Promise<void> {
  const { kind } = family.approvalRequest;
  const where = namespace === undefined ? '' : ` in namespace "${namespace}"`;
  try {
    const name = await nameOfRequest(session, family, given, namespace);
    const change = (request: ApprovalRequest): JsonObject => approvedStatus(kind, request, nowIn(session));
    await changeObject(session, family.approvalRequest, { namespace, name }, change, { subresource: 'status' });
    session.print(`${kind} "${name}"${where} approved successfully`);
  } catch (error) {
    const { message } = error as Error;
    throw new UserError(`failed to approve ${kind} "${given}"${where}: ${message}`, { cause: error });
  }
}

/** A request, or the only one that waits of the stage `RUN-STAGE`, as KubeFleet's documentation names requests. */
async function nameOfRequest(
  { hub, signal }: Session,
  { approvalRequest }: PlacementFamily,
  given: string,
  namespace: string | undefined,
): Promise<string> {
  const found = await hub.get(approvalRequest, { namespace, name: given }, { signal }).catch(ignoreNotFound);
  if (found !== undefined) return given;
  const { items } = await hub.list(approvalRequest, { signal, ...(namespace !== undefined && { namespace }) });
  const meant = items
    .filter(({ spec }) => `${spec.parentStageRollout}-${spec.targetStage}` === given)
    .filter((request) => !isApproved(request))
    .map(({ metadata }) => metadata.name ?? '');
  const [name, ...others] = meant;
  if (others.length > 0) throw new UserError(`it may be one of ${meant.join(', ')}; name one of them`);
  // The server's own sentence says that there is no such request.
  return name ?? given;
}

function approvedStatus(kind: string, { metadata, status }: ApprovalRequest, now: Date): JsonObject {
  const approved: Omit<Condition, 'lastTransitionTime'> = {
    type: approvalRequestConditions.approved,
    status: 'True',
    reason: `${kind}Approved`,
    message: `${kind} has been approved`,
    observedGeneration: metadata.generation ?? 0,
  };
  return { status: { conditions: withCondition(status?.conditions ?? [], approved, now) } };
}
