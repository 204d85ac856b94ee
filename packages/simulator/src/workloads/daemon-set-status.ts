import { nodeFitOf } from '../daemon-sets/node-fit.ts';
import type { DaemonSet, Node } from '../kinds.ts';
import { canRun } from './images.ts';
import { counts, type NextStatus } from '../status/next-status.ts';
import { shareOf } from './share.ts';

/** One pod on each node that the template selects. A failing update replaces at most maxUnavailable of them. */
export function daemonSetStatus(daemonSet: Readonly<DaemonSet>, nodes: readonly Readonly<Node>[]): NextStatus {
  const { metadata, spec = {}, status } = daemonSet;
  const fit = nodeFitOf(daemonSet);
  const scheduled = nodes.filter((node) => fit(node).shouldRun).length;
  const { maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {};
  const unavailable = Math.max(1, shareOf(maxUnavailable, scheduled, Math.ceil));
  const runs = canRun(spec.template);
  const old = runs ? 0 : Math.min(status?.numberAvailable ?? 0, Math.max(0, scheduled - unavailable));
  const available = runs ? scheduled : old;
  return {
    status: {
      currentNumberScheduled: scheduled,
      numberMisscheduled: 0,
      desiredNumberScheduled: scheduled,
      numberReady: available,
      observedGeneration: metadata.generation ?? 0,
      ...counts({
        updatedNumberScheduled: scheduled - old,
        numberAvailable: available,
        numberUnavailable: scheduled - available,
      }),
    },
  };
}
