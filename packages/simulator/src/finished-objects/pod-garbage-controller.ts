import type { ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller, type Indexes } from '@flotilla/runtime';
import { kinds, type Node, type Pod } from '../kinds.ts';
import { nodeIndex, podsOnNode } from '../pods/node-index.ts';
import { isFinished, isTerminating } from '../pods/pod-state.ts';
import { decideFinished, decideNode, decideUnscheduled, type MissingNodes } from './decide-garbage.ts';

/** Kubernetes keeps so many finished pods. */
export const maxFinishedPods = 12_500;

const finishedIndex = 'finished';
const finishedPods: Indexes = { [finishedIndex]: (pod) => (isFinished(pod) ? [''] : []) };

/** No node has this name. */
const allFinished: ObjectKey = { name: '*' };

type Garbage =
  | { readonly finished: readonly Readonly<Pod>[] }
  | { readonly nodeName: string; readonly node: Readonly<Node> | undefined; readonly pods: readonly Readonly<Pod>[] }
  | { readonly unscheduled: Readonly<Pod> };

/**
 * Deletes pods that no kubelet deletes: on nodes that are gone or out of service, without a node, and finished ones beyond a number. Its
 * keys are pods, nodes, and one for all finished pods.
 */
export function podGarbageController(limit = maxFinishedPods): Controller<Garbage> {
  const missing: MissingNodes = new Map();
  return {
    name: 'pod-garbage-collector',
    fieldManager: 'kube-controller-manager',
    watches: [
      {
        kind: kinds.pod,
        concerns: (now, old, cache) => (now === undefined ? [] : concernsOf(now, old, cache)),
        indexes: { ...nodeIndex, ...finishedPods },
      },
      { kind: kinds.node, concerns: (now, old) => (now === undefined || isOutOfService(now) ? itself(now, old) : []) },
    ],
    observe: (key, cache) => {
      if (key.namespace !== undefined) {
        const pod = cache.get(kinds.pod, key);
        return pod !== undefined && isUnscheduled(pod) ? { unscheduled: pod } : undefined;
      }
      if (key.name === allFinished.name) {
        const isTooMany = cache.count(kinds.pod, finishedIndex, '') > limit;
        return isTooMany ? { finished: cache.indexed(kinds.pod, finishedIndex, '') } : undefined;
      }
      const node = cache.get(kinds.node, key);
      return { nodeName: key.name, node, pods: podsOnNode(key.name, cache) };
    },
    decide: (garbage, now) => {
      if ('finished' in garbage) return decideFinished(garbage.finished, limit);
      if ('unscheduled' in garbage) return decideUnscheduled(garbage.unscheduled, now);
      return decideNode(garbage.nodeName, garbage.node, garbage.pods, missing, now);
    },
  };
}

function* concernsOf(pod: Readonly<Pod>, old: Readonly<Pod> | undefined, cache: Cache): Generator<ObjectKey> {
  const { nodeName = '' } = pod.spec ?? {};
  if (isFinished(pod) && (old === undefined || !isFinished(old))) yield allFinished;
  if (isUnscheduled(pod)) yield* itself(pod, undefined);
  else if (nodeName !== '') {
    const node = cache.get(kinds.node, { name: nodeName });
    if (node === undefined || (isTerminating(pod) && isOutOfService(node))) yield { name: nodeName };
  }
}

function isUnscheduled(pod: Readonly<Pod>): boolean {
  return isTerminating(pod) && (pod.spec?.nodeName ?? '') === '';
}

function isOutOfService({ spec, status }: Readonly<Node>): boolean {
  const isTainted = spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') === true;
  return isTainted && !(status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true);
}
