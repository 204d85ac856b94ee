import {
  conditionOf,
  envelopeTypeLabel,
  isTrueNow,
  workConditions,
  type ManifestCondition,
  type PlacedResource,
  type Placement,
  type Work,
  type WorkResourceIdentifier,
} from '@flotilla/api';
import { isJsonObject, jsonSize, type ApiError, type JsonObject, type Kind } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { backReportProblem, reportsToOriginals } from './back-report-problem.ts';

export interface BackReportState {
  readonly work: Readonly<Work>;
  /** The member of the Work. */
  readonly member: string;
  readonly placement: Readonly<Placement>;
  /** The kind of an object on the hub, if its status may be written. */
  readonly writableKind: (resource: PlacedResource) => Kind | undefined;
}

/** Of one object. The largest that controllers write have a few kilobytes. */
const maxStatusBytes = 256 * 1024;

/** Writes what the member reports onto the objects on the hub that the placement selected, and only into their status. */
export function decideBackReport(state: BackReportState): Plan {
  const { work, placement } = state;
  if (!isInCharge(state)) return nothingToDo;
  const originals = new Map((placement.status?.selectedResources ?? []).map((one) => [textOf(one), one]));
  const writes = (work.status?.manifestConditions ?? []).flatMap((manifest): Write[] => {
    const status = reportedStatus(manifest);
    const original = originals.get(textOf(manifest.identifier));
    if (status === undefined || original === undefined || original.envelope !== undefined) return [];
    const kind = state.writableKind(original);
    return kind === undefined ? [] : [statusWrite(kind, original, status)];
  });
  return { steps: [writes], refused: (error) => refusal(placement, error) };
}

/** Whether this member has the objects of the placement, and no other has. */
function isInCharge({ work, member, placement }: BackReportState): boolean {
  const { metadata, status } = work;
  const isApplied = isTrueNow(conditionOf(status?.conditions, workConditions.applied), metadata.generation);
  const isEnvelope = Object.hasOwn(metadata.labels ?? {}, envelopeTypeLabel);
  if (!isApplied || isEnvelope || metadata.deletionTimestamp !== undefined) return false;
  if (!reportsToOriginals(placement.spec) || backReportProblem(placement.spec) !== undefined) return false;
  return placement.status?.placementStatuses?.some(({ clusterName }) => clusterName === member) === true;
}

/** Only the status, whatever else a member reports. */
function reportedStatus({ backReportedStatus }: ManifestCondition): JsonObject | undefined {
  const { observedStatus = {} } = backReportedStatus ?? {};
  const status = Object.hasOwn(observedStatus, 'status') ? observedStatus['status'] : undefined;
  return isJsonObject(status) && jsonSize(status, maxStatusBytes) <= maxStatusBytes ? status : undefined;
}

/** Replaces the status: a merge would keep what is not there any more. */
function statusWrite(kind: Kind, { namespace, name }: PlacedResource, status: JsonObject): Write {
  const operations = [{ op: 'add', path: '/status', value: status }];
  return { verb: 'json-patch', kind, key: { namespace, name }, operations, subresource: 'status' };
}

function textOf(resource: PlacedResource | WorkResourceIdentifier): string {
  const { group = '', version = '', kind = '', namespace = '', name = '' } = resource;
  return `${group}/${version}/${kind}/${namespace}/${name}`;
}

/** A status that the hub refuses stays refused until the member reports another. An object that is gone needs none. */
function refusal(
  placement: Readonly<Placement>,
  { code, message }: ApiError,
): ReturnType<NonNullable<Plan['refused']>> {
  const awaitsChange = code < 500 && code !== 429;
  if (code === 404 || !awaitsChange) return { steps: [], awaitsChange };
  const event = {
    about: placement,
    type: 'Warning',
    reason: 'StatusBackReportFailed',
    message: `The status that a member reports cannot be written: ${message}`,
  } as const;
  return { steps: [], events: [event], awaitsChange };
}
