import { keyText } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import { kinds, type Pod } from '../kinds.ts';
import { nodeIndex, podsOnNode } from '../pods/node-index.ts';
import { needsAdmission, rejectionOf } from './admission.ts';
import type { BoundPod } from './bound-pod.ts';
import { decidePod } from './decide-pod.ts';
import { PodAddresses } from './pod-addresses.ts';

/** Its writes are independent of each other, so many may be under way. */
const workers = 32;

/** The kubelets of all nodes of a cluster. */
export function kubeletController(behaviour: WorkloadBehaviour, clock: Clock): Controller<BoundPod> {
  const addresses = new PodAddresses();
  const seen = new Map<string, { readonly uid: string; readonly at: number }>();
  const seenAt = ({ metadata, status }: Readonly<Pod>): number => {
    const key = keyText({ namespace: metadata.namespace, name: metadata.name ?? '' });
    const { uid = '' } = metadata;
    const known = seen.get(key);
    const now = clock.now();
    // Never in the future: the time of the machine may have been corrected since.
    const at = Math.min(now, known?.uid === uid ? known.at : Date.parse(status?.startTime ?? '') || now);
    if (known?.uid !== uid || known.at !== at) seen.set(key, { uid, at });
    return at;
  };
  return {
    name: 'kubelet',
    workers,
    watches: [
      {
        kind: kinds.pod,
        indexes: nodeIndex,
        concerns: (now, old) => {
          addresses.update(now, old);
          return isBound(now) || isBound(old) ? itself(now, old) : [];
        },
      },
      {
        kind: kinds.node,
        // A kubelet comes, or goes; nothing else about a node concerns its pods.
        concerns: (now, old, cache) =>
          now !== undefined && old !== undefined
            ? []
            : podsOnNode((now ?? old)?.metadata.name ?? '', cache).flatMap((pod) => itself(pod, undefined)),
      },
    ],
    observe: (key, cache) => {
      const pod = cache.get(kinds.pod, key);
      const node = isBound(pod) ? cache.get(kinds.node, { name: pod?.spec?.nodeName ?? '' }) : undefined;
      if (pod === undefined) seen.delete(keyText(key));
      if (pod === undefined || node === undefined) return undefined;
      const rejection = needsAdmission(pod)
        ? rejectionOf(pod, node, podsOnNode(node.metadata.name ?? '', cache))
        : undefined;
      return { pod, node, rejection, seenAt: seenAt(pod), address: addresses.addressOf(pod, node), behaviour };
    },
    decide: decidePod,
  };
}

function isBound(pod: Readonly<Pod> | undefined): boolean {
  return (pod?.spec?.nodeName ?? '') !== '';
}
