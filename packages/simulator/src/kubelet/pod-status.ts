import { formatTime, type JsonObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { kinds, type Container, type ContainerStatus, type Node, type Pod } from '../kinds.ts';
import type { BoundPod } from './bound-pod.ts';
import { conditionsOf } from './pod-conditions.ts';

interface Progress {
  readonly phase: string;
  readonly startTime: string;
  readonly hasStarted: boolean;
  readonly reason?: string;
  readonly message?: string;
}

/** The whole status, from the statuses of its containers by name. */
export function statusOf(
  bound: BoundPod,
  statuses: Map<string, ContainerStatus>,
  progress: Progress,
  now: Date,
): JsonObject {
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

export function statusWrite(pod: Readonly<Pod>, status: JsonObject): Write {
  return { verb: 'update', kind: kinds.pod, object: { ...pod, status }, subresource: 'status' };
}

/** Ends the containers that run. */
export function endContainers(statuses: Map<string, ContainerStatus>, exitCode: number, now: Date): void {
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
