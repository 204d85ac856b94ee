import type { Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import { kinds, type DaemonSet, type Node } from '../kinds.ts';
import { daemonSetStatus } from './daemon-set-status.ts';
import { deploymentStatus } from './deployment-status.ts';
import { disruptionBudgetStatus } from './disruption-budget-status.ts';
import { jobStatus } from './job-status.ts';
import { statusPlan, writesOf, type NextStatus } from './next-status.ts';
import { serviceStatus } from './service-status.ts';
import { statefulSetStatus } from './stateful-set-status.ts';

const fieldManager = 'kube-controller-manager';

/** One controller for each simulated kind. */
export function workloadControllers(): Controller[] {
  return [
    statusController(kinds.deployment, 'deployment-controller', deploymentStatus),
    statusController(kinds.statefulSet, 'statefulset-controller', statefulSetStatus),
    daemonSetController,
    statusController(kinds.job, 'job-controller', jobStatus),
    statusController(kinds.service, 'service-lb-controller', serviceStatus),
    statusController(kinds.disruptionBudget, 'disruption-controller', disruptionBudgetStatus),
  ];
}

/** For kinds whose status depends only on the object and the time. */
function statusController<T extends KubeObject>(
  kind: Kind<T>,
  name: string,
  nextStatus: (object: Readonly<T>, now: Date) => NextStatus,
): Controller<Readonly<T>> {
  return {
    name,
    fieldManager,
    watches: [{ kind, concerns: itself }],
    observe: (key, cache) => cache.get(kind, key),
    decide: (object, now) => statusPlan(kind, object, nextStatus(object, now)),
  };
}

interface DaemonSets {
  readonly daemonSets: readonly Readonly<DaemonSet>[];
  readonly nodes: readonly Readonly<Node>[];
}

/** A node concerns all DaemonSets, so they share one key. */
const allDaemonSets: ObjectKey = { name: 'all' };

const daemonSetController: Controller<DaemonSets> = {
  name: 'daemonset-controller',
  fieldManager,
  watches: [
    { kind: kinds.daemonSet, concerns: () => [allDaemonSets] },
    { kind: kinds.node, concerns: () => [allDaemonSets] },
  ],
  observe: (_key, cache) => ({ daemonSets: cache.list(kinds.daemonSet), nodes: cache.list(kinds.node) }),
  decide: ({ daemonSets, nodes }) => ({
    steps: [
      daemonSets.flatMap((daemonSet) => writesOf(kinds.daemonSet, daemonSet, daemonSetStatus(daemonSet, nodes).status)),
    ],
  }),
};
