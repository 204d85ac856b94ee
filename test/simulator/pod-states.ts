/** Plays the scheduler and the kubelet: binds pods and writes their status, always in the same way. */
import { formatTime, type JsonObject, type KubeObject } from '@flotilla/kube';

export interface Pod extends KubeObject {
  spec?: {
    nodeName?: string;
    affinity?: { nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeAffinity } };
    containers?: { name: string; image?: string }[];
  };
  status?: JsonObject & { phase?: string; conditions?: PodCondition[]; podIP?: string };
}

interface NodeAffinity extends JsonObject {
  nodeSelectorTerms?: { matchFields?: { key: string; values?: string[] }[] }[];
}

interface PodCondition extends JsonObject {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

/** `running` is not ready. `failed` and `succeeded` are over. */
export type PodState = 'running' | 'ready' | 'failed' | 'succeeded';

export function isPodState(word: string): word is PodState {
  return ['running', 'ready', 'failed', 'succeeded'].includes(word);
}

export function stateOf({ status = {} }: Pod): PodState | 'pending' {
  switch (status.phase ?? 'Pending') {
    case 'Succeeded':
      return 'succeeded';
    case 'Failed':
      return 'failed';
    case 'Running':
      return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
        ? 'ready'
        : 'running';
    default:
      return 'pending';
  }
}

/** The node that a DaemonSet chose for its pod. */
export function chosenNodeOf({ spec }: Pod): string | undefined {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const fields = required?.nodeSelectorTerms?.flatMap(({ matchFields = [] }) => matchFields) ?? [];
  return fields.find(({ key }) => key === 'metadata.name')?.values?.[0];
}

interface StatusOptions {
  readonly now: number;
  readonly podIP: string;
  /** Of a container that has ended. */
  readonly exitCode: number;
}

export function statusFor(pod: Pod, state: PodState, { now, podIP, exitCode }: StatusOptions): JsonObject {
  const at = formatTime(new Date(now));
  const isOver = state === 'failed' || state === 'succeeded';
  const isReady = state === 'ready';
  const before = pod.status?.conditions ?? [];
  const condition = (type: string, isTrue: boolean, reason?: string): PodCondition => {
    const status = isTrue ? 'True' : 'False';
    const old = before.find((one) => one.type === type);
    const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? at) : at;
    return { type, status, lastTransitionTime, ...(reason !== undefined && !isTrue && { reason }) };
  };
  const notReady = state === 'succeeded' ? 'PodCompleted' : state === 'failed' ? 'PodFailed' : 'ContainersNotReady';
  const others = before.filter(({ type }) => !ownConditions.includes(type));
  return {
    phase: state === 'failed' ? 'Failed' : state === 'succeeded' ? 'Succeeded' : 'Running',
    conditions: [
      condition('PodScheduled', true),
      condition('Initialized', true),
      condition('ContainersReady', isReady, notReady),
      condition('Ready', isReady, notReady),
      ...others,
    ],
    hostIP: '192.168.0.1',
    hostIPs: [{ ip: '192.168.0.1' }],
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: pod.status?.['startTime'] ?? at,
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: '',
      restartCount: 0,
      ready: isReady,
      started: !isOver,
      state: isOver ? { terminated: { exitCode, startedAt: at, finishedAt: at } } : { running: { startedAt: at } },
    })),
  };
}

const ownConditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'];
