import { formatTime, type JsonObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent } from '@flotilla/runtime';
import { delayOf, outcomeOf } from '../behaviour/outcome-of.ts';
import type { Container, ContainerStatus, Pod } from '../kinds.ts';
import { isFinished } from '../pods/pod-state.ts';
import type { Rejection } from './admission.ts';
import type { BoundPod } from './bound-pod.ts';
import type { ContainerEvent } from './container-run.ts';
import { containerEvent, eventAbout } from './kubelet-events.ts';
import { phaseOf } from './pod-conditions.ts';
import { PodCourse } from './pod-course.ts';
import { endContainers, statusOf, statusWrite } from './pod-status.ts';
import { terminatePod } from './terminate-pod.ts';

/** The exit code of a container that SIGKILL ended. */
const killedExit = 137;

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** Runs the pod: what a kubelet would write next. */
export function decidePod(bound: BoundPod, now: Date): Plan {
  const { pod } = bound;
  if (pod.metadata.deletionTimestamp !== undefined) return terminatePod(bound, now);
  if (isFinished(pod)) return nothingToDo;
  if (bound.rejection !== undefined) return reject(bound, bound.rejection);
  const next = nextStatus(bound, now);
  return {
    steps: [[statusWrite(pod, next.status)]],
    events: next.events,
    ...(next.waitMs !== undefined && { requeueAfterMs: Math.max(1, next.waitMs) }),
  };
}

function reject(bound: BoundPod, { reason, message }: Rejection): Plan {
  const { pod } = bound;
  const observedGeneration = pod.metadata.generation ?? 0;
  const status = {
    ...pod.status,
    observedGeneration,
    phase: 'Failed',
    reason,
    message: `Pod was rejected: ${message}`,
  };
  return { steps: [[statusWrite(pod, status)]], events: [eventAbout(bound, { type: 'Warning', reason, message })] };
}

interface NextStatus {
  readonly status: JsonObject;
  readonly events: readonly PlannedEvent[];
  readonly waitMs: number | undefined;
}

function nextStatus(bound: BoundPod, now: Date): NextStatus {
  const { pod, seenAt, behaviour } = bound;
  const pullMs = delayOf(pod, 'pullingMs', behaviour);
  const startsAt = seenAt + pullMs + delayOf(pod, 'startingMs', behaviour);
  const untilStart = startsAt - now.getTime();
  const course = new PodCourse(bound, { pullMs, startsAt, now });
  const statuses = course.run(untilStart > 0);
  const startTime = pod.status?.startTime ?? formatTime(now);
  const untilDeadline = deadlineOf(pod, startTime) - now.getTime();
  if (untilDeadline <= 0) return overdue(bound, statuses, startTime, now);

  const phase = phaseOf(pod, statuses, false);
  if (phase === 'Succeeded' || phase === 'Failed') endContainers(statuses, phase === 'Succeeded' ? 0 : killedExit, now);
  const isNew = pod.status?.startTime === undefined;
  const pulling = isNew && pullMs > 0 ? pullingEvents(bound) : [];
  const waits = [...course.waits, untilStart, untilDeadline].filter((wait) => wait > 0 && Number.isFinite(wait));
  return {
    status: statusOf(bound, statuses, { phase, startTime, hasStarted: untilStart <= 0 }, now),
    events: [...pulling, ...course.events],
    waitMs: waits.length === 0 || isFinished({ ...pod, status: { phase } }) ? undefined : Math.min(...waits),
  };
}

/** When the pod has been active for as long as it may; infinite without a limit. */
function deadlineOf({ spec }: Readonly<Pod>, startTime: string): number {
  const seconds = spec?.activeDeadlineSeconds;
  return seconds === undefined ? Infinity : Date.parse(startTime) + seconds * 1000;
}

function overdue(bound: BoundPod, statuses: Map<string, ContainerStatus>, startTime: string, now: Date): NextStatus {
  endContainers(statuses, killedExit, now);
  const failure = { phase: 'Failed', reason: 'DeadlineExceeded', message: deadlineMessage };
  return {
    status: statusOf(bound, statuses, { ...failure, startTime, hasStarted: true }, now),
    events: [eventAbout(bound, { type: 'Normal', reason: 'DeadlineExceeded', message: deadlineMessage })],
    waitMs: undefined,
  };
}

function pullingEvents(bound: BoundPod): PlannedEvent[] {
  const { containers = [], initContainers = [] } = bound.pod.spec ?? {};
  const pulling = ({ image = '' }: Readonly<Container>): ContainerEvent => ({
    type: 'Normal',
    reason: 'Pulling',
    message: `Pulling image "${image}"`,
  });
  const exists = ({ image = '' }: Readonly<Container>) =>
    outcomeOf(bound.pod, image, bound.behaviour) !== 'image-error';
  return [
    ...initContainers.filter(exists).map((container) => containerEvent(bound, container, pulling(container), true)),
    ...containers.filter(exists).map((container) => containerEvent(bound, container, pulling(container), false)),
  ];
}
