/** Phase and conditions that follow from the states of a pod's containers. */
import { formatTime, quote } from '@flotilla/kube';
import type { Condition, Container, ContainerStatus, Pod } from '../kinds.ts';
import { isRestarted } from './container-run.ts';
import { isSidecar, restartPolicyOf } from './pod-containers.ts';

/** The statuses of all containers, by name. */
export type Statuses = ReadonlyMap<string, ContainerStatus>;

export function phaseOf({ spec }: Readonly<Pod>, statuses: Statuses, isTerminal: boolean): string {
  const { containers = [], initContainers = [] } = spec ?? {};
  const exitOf = (container: Readonly<Container>): number | undefined => {
    const { state, lastState } = statuses.get(container.name ?? '') ?? {};
    if (state?.running !== undefined) return undefined;
    return (state?.terminated ?? lastState?.terminated)?.exitCode;
  };
  const isOver = (container: Readonly<Container>): boolean => {
    const exit = exitOf(container);
    return exit !== undefined && !isRestarted(restartPolicyOf(container, spec, false), exit);
  };
  const inits = initContainers.filter((container) => !isSidecar(container));
  if (inits.some((init) => (exitOf(init) ?? 0) !== 0 && !isRestarted(restartPolicyOf(init, spec, true), 1))) {
    return 'Failed';
  }
  if (!inits.every((init) => exitOf(init) === 0)) return 'Pending';
  const states = containers.map((container) => statuses.get(container.name ?? ''));
  const isWaiting = states.some(
    (status) => !status?.state?.running && !status?.state?.terminated && !status?.lastState?.terminated,
  );
  const hasWaitingSidecar = initContainers.some((container) => {
    const { state, lastState } = statuses.get(container.name ?? '') ?? {};
    return isSidecar(container) && !state?.running && !state?.terminated && !lastState?.terminated;
  });
  if (isWaiting || hasWaitingSidecar) return 'Pending';
  if (states.some((status) => status?.state?.running)) return 'Running';
  if (!isTerminal && !containers.every(isOver)) return 'Running';
  return containers.every((container) => exitOf(container) === 0) ? 'Succeeded' : 'Failed';
}

export function conditionsOf(
  pod: Readonly<Pod>,
  statuses: Statuses,
  phase: string,
  hasStarted: boolean,
  now: Date,
): Condition[] {
  const ownTypes = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({ type }) => !ownTypes.has(type));
  const condition = (type: string, { status, reason, message }: Verdict): Condition => {
    const old = before.find((candidate) => candidate.type === type);
    const isSame = old?.status === status;
    return {
      type,
      observedGeneration: pod.metadata.generation ?? 0,
      status,
      lastProbeTime: null,
      lastTransitionTime: isSame && old.lastTransitionTime ? old.lastTransitionTime : formatTime(now),
      ...(reason && { reason }),
      ...(message && { message }),
    };
  };
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const containersReady = containersReadyOf(pod, statuses, phase);
  return [
    ...others,
    condition('PodReadyToStartContainers', { status: hasStarted && !isOver ? 'True' : 'False' }),
    condition('Initialized', initializedOf(pod, statuses, phase)),
    condition('Ready', containersReady.status === 'True' ? gatesOf(pod, others) : containersReady),
    condition('ContainersReady', containersReady),
    condition('PodScheduled', { status: 'True' }),
  ];
}

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

function initializedOf({ spec }: Readonly<Pod>, statuses: Statuses, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const { containers = [], initContainers = [] } = spec ?? {};
  const hasStarted = containers.some(({ name = '' }) => {
    const { state, lastState } = statuses.get(name) ?? {};
    return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
  });
  if (hasStarted) return { status: 'True' };
  const incomplete = initContainers.filter((container) => {
    const { started, ready } = statuses.get(container.name ?? '') ?? {};
    return isSidecar(container) ? started !== true : ready !== true;
  });
  if (incomplete.length === 0) return { status: 'True' };
  const message = `containers with incomplete status: [${namesOf(incomplete)}]`;
  return { status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyOf({ spec }: Readonly<Pod>, statuses: Statuses, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const { containers = [], initContainers = [] } = spec ?? {};
  const unready = [...initContainers.filter(isSidecar), ...containers].filter(
    ({ name = '' }) => statuses.get(name)?.ready !== true,
  );
  if (unready.length === 0) return { status: 'True' };
  const message = `containers with unready status: [${namesOf(unready)}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

/** Whether the conditions that others write, and that the pod waits for, are true. */
function gatesOf({ spec }: Readonly<Pod>, conditions: readonly Condition[]): Verdict {
  const problems = (spec?.readinessGates ?? []).flatMap(({ conditionType = '' }) => {
    const gate = conditions.find(({ type }) => type === conditionType);
    const name = quote(conditionType);
    if (gate === undefined) return [`corresponding condition of pod readiness gate ${name} does not exist.`];
    return gate.status === 'True' ? [] : [`the status of pod readiness gate ${name} is not "True", but ${gate.status}`];
  });
  if (problems.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function namesOf(containers: readonly Readonly<Container>[]): string {
  return containers.map(({ name }) => name).join(' ');
}
