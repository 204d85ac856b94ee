/** Counts the pods of a DaemonSet that failed on a node one after another: each is replaced later than the one before. */
import { keyText, type ObjectKey } from '@flotilla/kube';
import type { DaemonSet, Pod } from '../kinds.ts';
import { isTerminating } from '../pods/pod-state.ts';
import { nodeOf } from './daemon-pod.ts';

const firstDelayMs = 1000;
const maxDelayMs = 15 * 60_000;
/** A pod that is created so long after the one before it starts anew. */
const memoryMs = 2 * maxDelayMs;

interface Failures {
  readonly count: number;
  readonly pod: string;
  readonly createdMs: number;
}

/** Failures by node, in memory: Kubernetes forgets them, too, when its controller restarts. */
export class FailedPods {
  readonly #byNode = new Map<string, { readonly generation: string; readonly nodes: Map<string, Failures> }>();

  /** How many pods have failed on each node, after these. */
  count(key: ObjectKey, set: Readonly<DaemonSet>, pods: readonly Readonly<Pod>[]): ReadonlyMap<string, number> {
    const failed = pods.filter((pod) => pod.status?.phase === 'Failed' && !isTerminating(pod));
    const generation = `${set.metadata.uid}/${set.status?.observedGeneration}`;
    const known = this.#byNode.get(keyText(key));
    const nodes = known?.generation === generation ? known.nodes : new Map<string, Failures>();
    for (const pod of failed) nodes.set(nodeOf(pod) ?? '', next(nodes.get(nodeOf(pod) ?? ''), pod));
    if (nodes.size > 0) this.#byNode.set(keyText(key), { generation, nodes });
    return new Map([...nodes].map(([node, { count }]) => [node, count]));
  }

  forget(key: ObjectKey): void {
    this.#byNode.delete(keyText(key));
  }
}

function next(before: Failures | undefined, { metadata }: Readonly<Pod>): Failures {
  const pod = metadata.uid ?? '';
  if (before?.pod === pod) return before;
  const createdMs = Date.parse(metadata.creationTimestamp ?? '');
  const isAnew = before === undefined || createdMs - before.createdMs > memoryMs;
  return { count: isAnew ? 1 : before.count + 1, pod, createdMs };
}

/** Milliseconds until a failed pod is replaced; the pod before it was when this one was created. */
export function untilReplaced({ metadata }: Readonly<Pod>, failures: number, now: Date): number {
  if (failures <= 1) return 0;
  const delay = Math.min(firstDelayMs * 2 ** Math.min(failures - 2, 20), maxDelayMs);
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? 0 : Math.max(0, created + delay - now.getTime());
}
