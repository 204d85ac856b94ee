import { age, ageColumn, column, nameColumn, timeSince, wideColumn } from '../../columns.ts';
import type { Columns } from '../../kind.ts';
import type { ContainerStatusFields, PodFields } from './pod-fields.ts';

export const podColumns: Columns = {
  definitions: [
    nameColumn,
    column('Ready', 'string', 'Ready containers and all containers.'),
    column('Status', 'string', 'The phase of the pod, or the reason for it.'),
    column('Restarts', 'string', 'How often containers were restarted, and when last.'),
    ageColumn,
    wideColumn('IP', 'string', 'The first address of the pod.'),
    wideColumn('Node', 'string', 'The node that the pod is assigned to.'),
    wideColumn('Nominated Node', 'string', 'The node where pods are being preempted for it.'),
    wideColumn('Readiness Gates', 'string', 'How many readiness gates are passed.'),
  ],
  cells(object, now) {
    const pod = object as PodFields;
    const { ready, reason, restarts } = summaryOf(pod, now);
    const { spec, status } = pod;
    return [
      pod.metadata.name ?? '',
      ready,
      reason,
      restarts,
      age(pod, now),
      status.podIPs?.[0]?.ip || '<none>',
      spec.nodeName || '<none>',
      status.nominatedNodeName || '<none>',
      readinessGates(pod),
    ];
  },
};

interface Summary {
  readonly ready: string;
  readonly reason: string;
  readonly restarts: string;
}

/** Counts and reasons of the containers that matter now: init containers until they are done, then the others. */
interface Tally {
  ready: number;
  reason: string;
  restarts: number;
  lastRestart: string;
}

function summaryOf(pod: PodFields, now: Date): Summary {
  const { spec, status } = pod;
  const sidecars = new Set(
    spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const tally: Tally = { ready: 0, reason: firstReason(pod), restarts: 0, lastRestart: '' };
  const ofSidecars: Tally = { ready: 0, reason: '', restarts: 0, lastRestart: '' };
  const isInitializing = tallyInit(pod, tally, ofSidecars, sidecars);
  const isInitialized = status.conditions?.some(({ type, status: is }) => type === 'Initialized' && is === 'True');
  if (!isInitializing || isInitialized) {
    tally.restarts = ofSidecars.restarts;
    tally.lastRestart = ofSidecars.lastRestart;
    tallyMain(pod, tally);
  }
  const { ready, restarts, lastRestart } = tally;
  return {
    ready: `${ready}/${(spec.containers?.length ?? 0) + sidecars.size}`,
    reason: deletionReason(pod) ?? tally.reason,
    restarts: restarts !== 0 && lastRestart !== '' ? `${restarts} (${timeSince(lastRestart, now)} ago)` : `${restarts}`,
  };
}

function firstReason({ status }: PodFields): string {
  const isGated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return isGated ? 'SchedulingGated' : status.reason || (status.phase ?? '');
}

function deletionReason({ metadata, status }: PodFields): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Failed' || status.phase === 'Succeeded' ? undefined : 'Terminating';
}

function countRestarts(tally: Tally, { restartCount, lastState }: ContainerStatusFields): void {
  tally.restarts += restartCount;
  const finishedAt = lastState?.terminated?.finishedAt ?? '';
  if (finishedAt !== '' && (tally.lastRestart === '' || Date.parse(finishedAt) > Date.parse(tally.lastRestart))) {
    tally.lastRestart = finishedAt;
  }
}

/** True while an init container is not done; the later ones have not started then. */
function tallyInit(
  { spec, status }: PodFields,
  tally: Tally,
  ofSidecars: Tally,
  sidecars: ReadonlySet<string>,
): boolean {
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(tally, container);
    const isSidecar = sidecars.has(container.name);
    if (isSidecar) countRestarts(ofSidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready) tally.ready += 1;
      continue;
    }
    if (terminated !== undefined) tally.reason = `Init:${endReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') tally.reason = `Init:${waiting.reason}`;
    else tally.reason = `Init:${i}/${spec.initContainers?.length ?? 0}`;
    return true;
  }
  return false;
}

function endReason({ reason, signal, exitCode }: { reason?: string; signal?: number; exitCode: number }): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function tallyMain({ status }: PodFields, tally: Tally): void {
  let hasRunning = false;
  let errorReason = '';
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    countRestarts(tally, container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) tally.reason = waiting.reason;
    else if (terminated !== undefined) {
      tally.reason = endReason(terminated);
      if (terminated.exitCode !== 0) errorReason = tally.reason;
    } else if (container.ready && running !== undefined) {
      hasRunning = true;
      tally.ready += 1;
    }
  }
  if (tally.reason !== 'Completed') return;
  const isReady = status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  if (hasRunning && isReady) tally.reason = 'Running';
  else if (errorReason !== '') tally.reason = errorReason;
  else if (hasRunning) tally.reason = 'NotReady';
}

function readinessGates({ spec, status }: PodFields): string {
  if (!spec.readinessGates?.length) return '<none>';
  const first = new Map<string, string>();
  for (const { type, status: is } of status.conditions ?? []) if (!first.has(type)) first.set(type, is);
  const met = spec.readinessGates.filter(({ conditionType }) => first.get(conditionType) === 'True');
  return `${met.length}/${spec.readinessGates.length}`;
}
