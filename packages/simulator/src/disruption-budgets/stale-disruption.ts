import { formatTime } from '@flotilla/kube';
import { itself, nothingToDo, type Controller } from '@flotilla/runtime';
import { kinds, type Condition, type Pod } from '../kinds.ts';
import { conditionOf, isFinished, isTerminating } from '../pods/pod-state.ts';

const timeoutMs = 120_000;
const type = 'DisruptionTarget';

/** A pod that was to be disrupted and still runs after two minutes is no target any more. */
export const staleDisruptionController: Controller<Readonly<Pod>> = {
  name: 'stale-disruption-controller',
  wakes: isTarget,
  fieldManager: 'kube-controller-manager',
  watches: [{ kind: kinds.pod, concerns: (now) => (now !== undefined && isTarget(now) ? itself(now, undefined) : []) }],
  observe: (key, cache) => {
    const pod = cache.get(kinds.pod, key);
    return pod !== undefined && isTarget(pod) ? pod : undefined;
  },
  decide: (pod, now) => {
    const { lastTransitionTime = '' } = conditionOf(pod, type) ?? {};
    const waitMs = Date.parse(lastTransitionTime) + timeoutMs - now.getTime();
    if (waitMs > 0) return { ...nothingToDo, requeueAfterMs: waitMs };
    const { generation = 0 } = pod.metadata;
    const ended: Condition = {
      type,
      ...(generation > 0 && { observedGeneration: generation }),
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: formatTime(now),
    };
    const conditions = pod.status?.conditions?.map((condition) => (condition.type === type ? ended : condition)) ?? [];
    const object = { ...pod, status: { ...pod.status, conditions } };
    return { steps: [[{ verb: 'update', kind: kinds.pod, object, subresource: 'status' }]] };
  },
};

function isTarget(pod: Readonly<Pod>): boolean {
  const condition = conditionOf(pod, type);
  if (condition?.status !== 'True' || condition.reason === 'TerminationByKubelet') return false;
  return !isTerminating(pod) && !isFinished(pod);
}
