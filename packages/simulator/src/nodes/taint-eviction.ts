/** Deletes pods from nodes with NoExecute taints that they do not tolerate, or no longer. */
import { formatTime, keyText } from '@flotilla/kube';
import { itself, nothingToDo, type Controller, type Plan } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { kinds, type Condition, type Node, type Pod, type Taint } from '../kinds.ts';
import { nodeIndex, podsOnNode } from '../pods/node-index.ts';
import { tolerates } from '../scheduling/taints.ts';

export interface TaintedPod {
  readonly pod: Readonly<Pod>;
  /** The NoExecute taints of its node. */
  readonly taints: readonly Taint[];
  /** When they were first seen, in milliseconds since the epoch. */
  readonly since: number;
}

export function taintEvictionController(clock: Clock): Controller<TaintedPod> {
  /** Few nodes have such taints, so that most changes of pods end with a look into this set. */
  const taintedNodes = new Set<string>();
  const seen = new Map<string, { readonly uid: string; readonly at: number }>();
  return {
    name: 'taint-eviction-controller',
    fieldManager: 'kube-controller-manager',
    wakes: (node) => executing(node).length > 0,
    watches: [
      {
        kind: kinds.node,
        concerns: (now, old, cache) => {
          const { name = '' } = (now ?? old)?.metadata ?? {};
          const wasTainted = taintedNodes.has(name);
          const isTainted = executing(now).length > 0;
          if (isTainted) taintedNodes.add(name);
          else taintedNodes.delete(name);
          if (!wasTainted && !isTainted) return [];
          return podsOnNode(name, cache).flatMap((pod) => itself(pod, undefined));
        },
      },
      {
        kind: kinds.pod,
        indexes: nodeIndex,
        concerns: (now, old) => (taintedNodes.has(nodeOf(now ?? old)) ? itself(now, old) : []),
      },
    ],
    observe: (key, cache) => {
      const text = keyText(key);
      const pod = cache.get(kinds.pod, key);
      const taints = executing(cache.get(kinds.node, { name: pod?.spec?.nodeName ?? '' }));
      if (pod === undefined || taints.length === 0) {
        seen.delete(text);
        return undefined;
      }
      const { uid = '' } = pod.metadata;
      if (seen.get(text)?.uid !== uid) seen.set(text, { uid, at: clock.now() });
      return { pod, taints, since: seen.get(text)?.at ?? 0 };
    },
    decide: decideEviction,
  };
}

function nodeOf(pod: Readonly<Pod> | undefined): string {
  return pod?.spec?.nodeName ?? '';
}

function executing(node: Readonly<Node> | undefined): readonly Taint[] {
  return node?.spec?.taints?.filter(({ effect }) => effect === 'NoExecute') ?? [];
}

export function decideEviction({ pod, taints, since }: TaintedPod, now: Date): Plan {
  if (pod.metadata.deletionTimestamp !== undefined) return nothingToDo;
  const untilEviction = since + toleratedMs(pod, taints) - now.getTime();
  if (untilEviction === Infinity) return nothingToDo;
  return untilEviction > 0 ? { steps: [], requeueAfterMs: untilEviction } : evict(pod, now);
}

/** How long the pod tolerates all taints: the shortest of its limits. */
function toleratedMs({ spec }: Readonly<Pod>, taints: readonly Taint[]): number {
  const limits = taints.map((taint) => {
    const toleration = spec?.tolerations?.find((candidate) => tolerates(candidate, taint));
    if (toleration === undefined) return 0;
    const { tolerationSeconds } = toleration;
    return tolerationSeconds === undefined ? Infinity : Math.max(0, Number(tolerationSeconds) * 1000);
  });
  return Math.min(...limits);
}

function evict(pod: Readonly<Pod>, now: Date): Plan {
  const { namespace = '', name = '', uid = '', generation = 0 } = pod.metadata;
  const condition: Condition = {
    type: 'DisruptionTarget',
    observedGeneration: generation,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(now),
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
  const object = { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
  const message = `Marking for deletion Pod ${namespace}/${name}`;
  return {
    steps: [
      [{ verb: 'update', kind: kinds.pod, object, subresource: 'status' }],
      [{ verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid }],
    ],
    events: [{ about: pod, type: 'Normal', reason: 'TaintManagerEviction', message }],
  };
}
