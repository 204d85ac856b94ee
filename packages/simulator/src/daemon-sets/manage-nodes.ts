/** Gives each node its pod, and removes pods that are too many, have ended or may not be there. */
import type { PlannedEvent } from '@flotilla/runtime';
import type { DaemonSet, Pod } from '../kinds.ts';
import { isReady, isTerminating } from '../pods/pod-state.ts';
import { inAgeOrder, revisionLabel } from './daemon-pod.ts';
import { untilReplaced } from './failed-pods.ts';
import type { NodeFit } from './node-fit.ts';
import { isAvailableIn, type Changes, type Placement } from './placement.ts';
import { surgeOf } from './update-limits.ts';

interface CollectedChanges extends Changes {
  readonly nodes: string[];
  readonly leaving: Readonly<Pod>[];
  readonly events: PlannedEvent[];
  readonly waits: number[];
}

export function missingChanges(placement: Placement): Changes {
  const changes: CollectedChanges = { nodes: [], leaving: [], events: [], waits: [] };
  for (const [node, fit] of placement.fits) collect(placement, node, fit, changes);
  for (const [node, pods] of placement.podsByNode) {
    // A pod that was meant for a node that is gone is never scheduled.
    if (!placement.fits.has(node)) changes.leaving.push(...pods.filter(({ spec }) => !spec?.nodeName));
  }
  return changes;
}

function collect(placement: Placement, node: string, { shouldRun, mayStay }: NodeFit, changes: CollectedChanges): void {
  const pods = placement.podsByNode.get(node);
  if (pods === undefined) {
    if (shouldRun) changes.nodes.push(node);
    return;
  }
  const staying = pods.filter((pod) => !isTerminating(pod));
  if (!mayStay) {
    changes.leaving.push(...staying);
    return;
  }
  const running = inAgeOrder(staying.filter((pod) => !isEnded(placement, node, pod, changes)));
  if (surgeOf(placement.set, 1) === 0) changes.leaving.push(...running.slice(1));
  else if (running.length > 1) changes.leaving.push(...superfluous(placement, running));
  else if (running.length === 0 && shouldRun) changes.nodes.push(node);
}

/** Removes a pod that has ended; one that failed, after a delay that grows with each. */
function isEnded(placement: Placement, node: string, pod: Readonly<Pod>, changes: CollectedChanges): boolean {
  const { set, failures, now } = placement;
  const { namespace, name } = pod.metadata;
  if (pod.status?.phase === 'Failed') {
    const wait = untilReplaced(pod, failures.get(node) ?? 1, now);
    if (wait > 0) {
      changes.waits.push(wait);
      return true;
    }
    const message = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
    changes.events.push(event(set, 'Warning', 'FailedDaemonPod', message));
  } else if (pod.status?.phase === 'Succeeded') {
    const message = `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`;
    changes.events.push(event(set, 'Normal', 'SucceededDaemonPod', message));
  } else {
    return false;
  }
  changes.leaving.push(pod);
  return true;
}

/** With a surge, an old pod stays beside a new one while it is ready and the new one is not available. */
function superfluous(placement: Placement, running: readonly Readonly<Pod>[]): readonly Readonly<Pod>[] {
  const isNew = ({ metadata }: Readonly<Pod>): boolean => metadata.labels?.[revisionLabel] === placement.hash;
  const newPod = running.find(isNew);
  const oldPod = running.find((pod) => !isNew(pod));
  const isReplaced = newPod && oldPod && (!isReady(oldPod) || isAvailableIn(placement, newPod));
  return running.filter((pod) => pod !== newPod && (pod !== oldPod || isReplaced === true));
}

function event(about: Readonly<DaemonSet>, type: 'Normal' | 'Warning', reason: string, message: string): PlannedEvent {
  return { about, type, reason, message };
}
