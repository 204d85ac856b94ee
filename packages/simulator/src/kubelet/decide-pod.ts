import { formatTime, type JsonObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { exitOfCommand, type ContainerExit } from '../behaviour/container-command.ts';
import { delayOf, outcomeOf } from '../behaviour/outcome-of.ts';
import type { Outcome, WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import { kinds, type Container, type ContainerStatus, type Node, type Pod } from '../kinds.ts';
import { controllerOf } from '../ownership/controller-of.ts';
import { isFinished } from '../pods/pod-state.ts';
import type { Rejection } from './admission.ts';
import { nextContainer, type ContainerEvent, type ContainerResult } from './container-run.ts';
import { conditionsOf, phaseOf } from './pod-conditions.ts';
import { isSidecar, restartPolicyOf } from './pod-containers.ts';

/** A pod on its node. */
export interface BoundPod {
  readonly pod: Readonly<Pod>;
  readonly node: Readonly<Node>;
  /** Why the pod may not run here. */
  readonly rejection: Rejection | undefined;
  /** When the kubelet first saw the pod, in milliseconds since the epoch: times of the API have seconds only. */
  readonly seenAt: number;
  /** The address that the pod has or would get. */
  readonly address: string;
  readonly behaviour: WorkloadBehaviour;
}

/** The exit code of a container that a signal ended: 128 + SIGTERM. */
const terminatedExit = 143;
const killedExit = 137;

const deadlineMessage = 'Pod was active on the node longer than the specified deadline';

/** Runs the pod: what a kubelet would write next. */
export function decidePod(bound: BoundPod, now: Date): Plan {
  const { pod } = bound;
  if (pod.metadata.deletionTimestamp !== undefined) return terminate(bound, now);
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
  const course = new Course(bound, { pullMs, startsAt, now });
  const statuses = course.run(untilStart > 0);
  const startTime = pod.status?.startTime ?? formatTime(now);
  const untilDeadline = deadlineOf(pod, startTime) - now.getTime();
  if (untilDeadline <= 0) return overdue(bound, statuses, startTime, now);

  const phase = phaseOf(pod, statuses, false);
  if (phase === 'Succeeded' || phase === 'Failed') end(statuses, phase === 'Succeeded' ? 0 : killedExit, now);
  const isNew = pod.status?.startTime === undefined;
  const pulling = isNew && pullMs > 0 ? pullingEvents(bound) : [];
  const waits = [...course.waits, untilStart, untilDeadline].filter((wait) => wait > 0 && Number.isFinite(wait));
  return {
    status: statusOf(bound, statuses, { phase, startTime, hasStarted: untilStart <= 0 }, now),
    events: [...pulling, ...course.events],
    waitMs: waits.length === 0 || isFinished({ ...pod, status: { phase } }) ? undefined : Math.min(...waits),
  };
}

interface Times {
  readonly pullMs: number;
  readonly startsAt: number;
  readonly now: Date;
}

/** The containers of a pod, in the order in which they start. */
class Course {
  readonly #bound: BoundPod;
  readonly #times: Times;
  readonly events: PlannedEvent[] = [];
  readonly waits: number[] = [];

  constructor(bound: BoundPod, times: Times) {
    this.#bound = bound;
    this.#times = times;
  }

  run(isCreating: boolean): Map<string, ContainerStatus> {
    const { spec, status } = this.#bound.pod;
    const { containers = [], initContainers = [] } = spec ?? {};
    const statuses = new Map<string, ContainerStatus>();
    const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
    let waitsFor = isCreating ? reason : undefined;
    for (const container of initContainers) {
      const before = statusNamed(status?.initContainerStatuses, container);
      const { status: next } = this.#next(container, before, waitsFor, true);
      const isDone = isSidecar(container) ? next.started === true : next.state?.terminated?.exitCode === 0;
      statuses.set(container.name ?? '', isSidecar(container) ? next : { ...next, ready: isDone });
      if (!isDone) waitsFor = reason;
    }
    for (const container of containers) {
      const before = statusNamed(status?.containerStatuses, container);
      statuses.set(container.name ?? '', this.#next(container, before, waitsFor, false).status);
    }
    return statuses;
  }

  #next(
    container: Readonly<Container>,
    before: Readonly<ContainerStatus> | undefined,
    waitsFor: string | undefined,
    isInit: boolean,
  ): ContainerResult {
    const { pod, behaviour } = this.#bound;
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    const isMeantToEnd = isInit ? !isSidecar(container) : controllerOf(pod)?.kind === 'Job';
    const outcome = outcomeOf(pod, container.image ?? '', behaviour);
    const result = nextContainer({
      ...this.#times,
      container,
      before,
      waitsFor,
      outcome: outcome === 'never' || outcome === 'image-error' ? outcome : 'ready',
      exit: exitOf(container, outcome, isMeantToEnd, isInit ? 0 : delayOf(pod, 'runningMs', behaviour)),
      restarts: restartPolicyOf(container, pod.spec, isInit),
      podText: `${name}_${namespace}(${uid})`,
      uid,
      readinessMs: delayOf(pod, 'readinessMs', behaviour),
    });
    if (result.waitMs !== undefined) this.waits.push(result.waitMs);
    for (const event of result.events) this.events.push(containerEvent(this.#bound, container, event, isInit));
    return result;
  }
}

const exitCodes = { crash: 139, fail: 1, succeed: 0 } as const;

/** Undefined if it runs until the pod ends. Containers that are meant to end do well by ending. */
function exitOf(
  container: Readonly<Container>,
  outcome: Outcome,
  isMeantToEnd: boolean,
  runningMs: number,
): ContainerExit | undefined {
  if (outcome === 'never' || outcome === 'image-error') return undefined;
  if (outcome !== 'ready') return { code: exitCodes[outcome], afterMs: runningMs };
  const exit = exitOfCommand(container) ?? (isMeantToEnd ? { code: 0, afterMs: runningMs } : 'never');
  return exit === 'never' ? undefined : exit;
}

function statusNamed(
  statuses: readonly Readonly<ContainerStatus>[] | undefined,
  { name }: Readonly<Container>,
): Readonly<ContainerStatus> | undefined {
  return statuses?.find((status) => status.name === name);
}

interface Progress {
  readonly phase: string;
  readonly startTime: string;
  readonly hasStarted: boolean;
  readonly reason?: string;
  readonly message?: string;
}

function statusOf(bound: BoundPod, statuses: Map<string, ContainerStatus>, progress: Progress, now: Date): JsonObject {
  const { pod, node, address } = bound;
  const { phase, startTime, hasStarted, reason, message } = progress;
  const { containers = [], initContainers = [], hostNetwork } = pod.spec ?? {};
  const all = (those: readonly Readonly<Container>[]): ContainerStatus[] =>
    those.map(({ name = '' }) => statuses.get(name)).filter((status) => status !== undefined);
  const host = addressOf(node);
  const ip = hostNetwork === true ? host : address;
  return {
    ...pod.status,
    observedGeneration: pod.metadata.generation ?? 0,
    phase,
    ...(reason && { reason, message: message ?? '' }),
    conditions: conditionsOf(pod, statuses, phase, hasStarted, now),
    ...(host !== '' && { hostIP: host, hostIPs: [{ ip: host }] }),
    ...(ip !== '' && (hasStarted || hostNetwork === true) && { podIP: ip, podIPs: [{ ip }] }),
    startTime,
    ...(initContainers.length > 0 && { initContainerStatuses: all(initContainers) }),
    containerStatuses: all(containers),
  };
}

function addressOf({ status }: Readonly<Node>): string {
  return status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '';
}

/** When the pod has been active for as long as it may; infinite without a limit. */
function deadlineOf({ spec }: Readonly<Pod>, startTime: string): number {
  const seconds = spec?.activeDeadlineSeconds;
  return seconds === undefined ? Infinity : Date.parse(startTime) + seconds * 1000;
}

function overdue(bound: BoundPod, statuses: Map<string, ContainerStatus>, startTime: string, now: Date): NextStatus {
  end(statuses, killedExit, now);
  const failure = { phase: 'Failed', reason: 'DeadlineExceeded', message: deadlineMessage };
  return {
    status: statusOf(bound, statuses, { ...failure, startTime, hasStarted: true }, now),
    events: [eventAbout(bound, { type: 'Normal', reason: 'DeadlineExceeded', message: deadlineMessage })],
    waitMs: undefined,
  };
}

/** Ends the containers that run. */
function end(statuses: Map<string, ContainerStatus>, exitCode: number, now: Date): void {
  for (const [name, status] of statuses) {
    const { running } = status.state ?? {};
    if (running === undefined) continue;
    const terminated = {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: running.startedAt ?? formatTime(now),
      finishedAt: formatTime(now),
      containerID: status.containerID ?? '',
    };
    statuses.set(name, { ...status, ready: false, started: false, state: { terminated } });
  }
}

/** Ends the containers, reports that if the pod stays for a finalizer, and removes the pod. */
function terminate(bound: BoundPod, now: Date): Plan {
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
  end(statuses, terminatedExit, now);
  const phase = phaseOf(pod, statuses, true) === 'Succeeded' ? 'Succeeded' : 'Failed';
  return statusOf(bound, statuses, { phase, startTime, hasStarted: pod.status?.podIP !== undefined }, now);
}

function statusWrite(pod: Readonly<Pod>, status: JsonObject): Write {
  return { verb: 'update', kind: kinds.pod, object: { ...pod, status }, subresource: 'status' };
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

function containerEvent(
  bound: BoundPod,
  { name }: Readonly<Container>,
  event: ContainerEvent,
  isInit: boolean,
): PlannedEvent {
  return { ...eventAbout(bound, event), fieldPath: `spec.${isInit ? 'initContainers' : 'containers'}{${name}}` };
}

function eventAbout({ pod, node }: BoundPod, event: ContainerEvent): PlannedEvent {
  return { about: pod, ...event, host: node.metadata.name ?? '' };
}
