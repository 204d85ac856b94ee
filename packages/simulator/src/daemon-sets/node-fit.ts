import type { DaemonSet, Node } from '../kinds.ts';
import { fitsNode } from '../scheduling/node-affinity.ts';
import { untoleratedTaint } from '../scheduling/taints.ts';
import { daemonTolerations } from './daemon-tolerations.ts';

export interface NodeFit {
  /** Whether a pod is created on the node. */
  readonly shouldRun: boolean;
  /** Whether a pod that is there may stay. */
  readonly mayStay: boolean;
}

const noFit: NodeFit = { shouldRun: false, mayStay: false };

/** Returns a function, because the tolerations are the same for all nodes. */
export function nodeFitOf({ spec }: Readonly<DaemonSet>): (node: Readonly<Node>) => NodeFit {
  const podSpec = spec?.template?.spec;
  const { nodeName = '' } = podSpec ?? {};
  const tolerations = daemonTolerations(podSpec);
  return (node) => {
    if (nodeName !== '' && nodeName !== node.metadata.name) return noFit;
    if (!fitsNode(podSpec, node)) return noFit;
    const taints = node.spec?.taints ?? [];
    const mayStay = untoleratedTaint(taints, tolerations, ['NoExecute']) === undefined;
    return { shouldRun: mayStay && untoleratedTaint(taints, tolerations, ['NoSchedule']) === undefined, mayStay };
  };
}
