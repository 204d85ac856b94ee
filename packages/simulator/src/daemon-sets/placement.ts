import type { PlannedEvent } from '@flotilla/runtime';
import type { DaemonSet, Pod } from '../kinds.ts';
import { isAvailable, isFinished, isTerminating } from '../pods/pod-state.ts';
import { nodeOf } from './daemon-pod.ts';
import type { NodeFit } from './node-fit.ts';

/** Where the pods of a DaemonSet are, and where they should be. */
export interface Placement {
  readonly set: Readonly<DaemonSet>;
  /** Of the present template. */
  readonly hash: string;
  /** By the name of the node, of all nodes. */
  readonly fits: ReadonlyMap<string, NodeFit>;
  readonly podsByNode: ReadonlyMap<string, readonly Readonly<Pod>[]>;
  /** How many pods failed on a node, one after another. */
  readonly failures: ReadonlyMap<string, number>;
  readonly now: Date;
}

/** What must change now. */
export interface Changes {
  /** Nodes that get a pod. */
  readonly nodes: readonly string[];
  readonly leaving: readonly Readonly<Pod>[];
  readonly events: readonly PlannedEvent[];
  /** Milliseconds until more will have to change. */
  readonly waits: readonly number[];
}

/** Pods that have ended and are being deleted count no more. */
export function podsByNode(pods: readonly Readonly<Pod>[]): Map<string, Readonly<Pod>[]> {
  const byNode = new Map<string, Readonly<Pod>[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    if (node === undefined || (isFinished(pod) && isTerminating(pod))) continue;
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  return byNode;
}

export function isAvailableIn({ set, now }: Placement, pod: Readonly<Pod>): boolean {
  return isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}
