/** Replaces pods with an old template, as many at a time as the strategy allows. */
import type { Pod } from '../kinds.ts';
import { isTerminating } from '../pods/pod-state.ts';
import { isUpdated } from './daemon-pod.ts';
import { isAvailableIn, type Changes, type Placement } from './placement.ts';
import { maxUnavailableOf, surgeOf } from './update-limits.ts';

/** The pods of a node that are not being deleted. */
interface PodsOnNode {
  readonly node: string;
  readonly newPod: Readonly<Pod> | undefined;
  readonly oldPod: Readonly<Pod> | undefined;
  /** There are several of a kind, which must go first. */
  readonly isCrowded: boolean;
}

export function outdatedChanges(placement: Placement): Changes {
  if (placement.set.spec?.updateStrategy?.type !== 'RollingUpdate') return noChanges;
  const desired = [...placement.fits.values()].filter(({ shouldRun }) => shouldRun).length;
  const maxSurge = surgeOf(placement.set, desired);
  return maxSurge === 0 ? replaceInPlace(placement, desired) : replaceBySurge(placement, desired, maxSurge);
}

const noChanges: Changes = { nodes: [], leaving: [], events: [], waits: [] };

/** Deletes old pods: those that are not available at once, others as long as enough are available. */
function replaceInPlace(placement: Placement, desired: number): Changes {
  const replaceable: Readonly<Pod>[] = [];
  const available: Readonly<Pod>[] = [];
  let unavailable = 0;
  for (const { newPod, oldPod, isCrowded } of nodesOf(placement)) {
    const only = newPod === undefined ? oldPod : oldPod === undefined ? newPod : undefined;
    if (isCrowded || only === undefined || !isAvailableIn(placement, only)) unavailable++;
    if (isCrowded || oldPod === undefined || newPod !== undefined) continue;
    (isAvailableIn(placement, oldPod) ? available : replaceable).push(oldPod);
  }
  const allowed = Math.max(0, maxUnavailableOf(placement.set, desired) - unavailable);
  return { ...noChanges, leaving: [...replaceable, ...available.slice(0, allowed)] };
}

/** Creates new pods beside old ones, and deletes old ones when the new ones are available. */
function replaceBySurge(placement: Placement, desired: number, maxSurge: number): Changes {
  const leaving: Readonly<Pod>[] = [];
  const misplaced: Readonly<Pod>[] = [];
  const nodes: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let availableNodes = 0;
  for (const { node, newPod, oldPod, isCrowded } of nodesOf(placement)) {
    if (isCrowded) {
      surging++;
      continue;
    }
    const counted = oldPod ?? newPod;
    const isServed = counted !== undefined && isAvailableIn(placement, counted);
    if (isServed) availableNodes++;
    if (oldPod === undefined) continue;
    const shouldRun = placement.fits.get(node)?.shouldRun === true;
    if (newPod !== undefined) {
      if (isAvailableIn(placement, newPod)) leaving.push(oldPod);
      else surging++;
    } else if (!shouldRun) {
      (isServed ? misplaced : leaving).push(oldPod);
    } else {
      (isServed ? candidates : nodes).push(node);
    }
  }
  // Pods on nodes where they may no longer be keep serving until others do.
  leaving.push(...misplaced.slice(0, Math.max(0, availableNodes - desired)));
  nodes.push(...candidates.slice(0, Math.max(0, maxSurge - surging)));
  return { ...noChanges, nodes, leaving };
}

/** All nodes that have pods or should have one. */
function nodesOf({ set, hash, fits, podsByNode }: Placement): PodsOnNode[] {
  const wanted = [...fits].filter(([node, { shouldRun }]) => shouldRun || podsByNode.has(node)).map(([node]) => node);
  return [...new Set([...wanted, ...podsByNode.keys()])].map((node) => {
    const pods = (podsByNode.get(node) ?? []).filter((pod) => !isTerminating(pod));
    const newPods = pods.filter((pod) => isUpdated(pod, set, hash));
    const oldPods = pods.filter((pod) => !isUpdated(pod, set, hash));
    return { node, newPod: newPods[0], oldPod: oldPods[0], isCrowded: newPods.length > 1 || oldPods.length > 1 };
  });
}
