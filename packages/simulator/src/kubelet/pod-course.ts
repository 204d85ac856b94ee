import type { PlannedEvent } from '@flotilla/runtime';
import { exitOfCommand, type ContainerExit } from '../behaviour/container-command.ts';
import { delayOf, outcomeOf } from '../behaviour/outcome-of.ts';
import type { Outcome } from '../behaviour/workload-behaviour.ts';
import type { Container, ContainerStatus } from '../kinds.ts';
import { controllerOf } from '../ownership/controller-of.ts';
import type { BoundPod } from './bound-pod.ts';
import { nextContainer, type ContainerResult } from './container-run.ts';
import { containerEvent } from './kubelet-events.ts';
import { isSidecar, restartPolicyOf, statusNamed } from './pod-containers.ts';

interface Times {
  readonly pullMs: number;
  readonly startsAt: number;
  readonly now: Date;
}

/** The containers of a pod, in the order in which they start. */
export class PodCourse {
  readonly #bound: BoundPod;
  readonly #times: Times;
  /** Of all containers. */
  readonly events: PlannedEvent[] = [];
  /** When containers change by themselves, in milliseconds. */
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
