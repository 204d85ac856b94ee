import { formatTime, type JsonObject } from '@flotilla/kube';
import type { Plan, PlannedEvent, Write } from '@flotilla/runtime';
import { delayOf } from '../behaviour/outcome-of.ts';
import { kinds } from '../kinds.ts';
import { isFinished } from '../pods/pod-state.ts';
import type { BoundPod } from './bound-pod.ts';
import { containerEvent } from './kubelet-events.ts';
import { phaseOf } from './pod-conditions.ts';
import { statusNamed } from './pod-containers.ts';
import { endContainers, statusOf, statusWrite } from './pod-status.ts';

/** The exit code of a container that a signal ended: 128 + SIGTERM. */
const terminatedExit = 143;

/** Ends the containers, reports that if the pod stays for a finalizer, and removes the pod. */
export function terminatePod(bound: BoundPod, now: Date): Plan {
  const { pod, behaviour } = bound;
  const { deletionTimestamp = '', finalizers = [], namespace, name = '', uid = '' } = pod.metadata;
  const graceSeconds = pod.metadata.deletionGracePeriodSeconds as number | bigint | undefined;
  const graceMs = Number(graceSeconds ?? 0) * 1000;
  const requestedAt = Date.parse(deletionTimestamp) - graceMs;
  const untilEnd = requestedAt + Math.min(graceMs, delayOf(pod, 'terminationMs', behaviour)) - now.getTime();
  if (untilEnd > 0) return { steps: [], requeueAfterMs: untilEnd };

  const stays = finalizers.length > 0;
  const removal: Write = { verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, gracePeriodSeconds: 0 };
  return {
    steps: [
      stays && !isFinished(pod) ? [statusWrite(pod, terminatedStatus(bound, now))] : [],
      // With a grace period of zero, only the finalizers keep it.
      stays && graceMs === 0 ? [] : [removal],
    ],
    events: graceMs === 0 ? [] : killingEvents(bound),
  };
}

function terminatedStatus(bound: BoundPod, now: Date): JsonObject {
  const { pod } = bound;
  const { initContainerStatuses = [], containerStatuses = [], startTime = formatTime(now) } = pod.status ?? {};
  const statuses = new Map([...initContainerStatuses, ...containerStatuses].map((one) => [one.name ?? '', one]));
  endContainers(statuses, terminatedExit, now);
  const phase = phaseOf(pod, statuses, true) === 'Succeeded' ? 'Succeeded' : 'Failed';
  return statusOf(bound, statuses, { phase, startTime, hasStarted: pod.status?.podIP !== undefined }, now);
}

function killingEvents(bound: BoundPod): PlannedEvent[] {
  const { spec, status } = bound.pod;
  const running = (spec?.containers ?? []).filter(
    (container) => statusNamed(status?.containerStatuses, container)?.state?.running !== undefined,
  );
  return running.map((container) => {
    const message = `Stopping container ${container.name}`;
    return containerEvent(bound, container, { type: 'Normal', reason: 'Killing', message }, false);
  });
}
