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

/** Under which Kubernetes' controllers write. */
const fieldManager = 'kube-controller-manager';

/** Every kind of object that has a life of its own. */
export function simulatedLives(): Controller[] {
  return [
    life(kinds.deployment, 'deployment-controller', deploymentStatus),
    life(kinds.statefulSet, 'statefulset-controller', statefulSetStatus),
    daemonSetLife,
    life(kinds.job, 'job-controller', jobStatus),
    life(kinds.service, 'service-lb-controller', serviceStatus),
    life(kinds.disruptionBudget, 'disruption-controller', disruptionBudgetStatus),
  ];
}

/** Whose objects depend on nothing but themselves and the time. */
function life<T extends KubeObject>(
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

/** A node concerns all of them, so they are looked at together. */
const allTogether: ObjectKey = { name: 'all' };

const daemonSetLife: Controller<DaemonSets> = {
  name: 'daemonset-controller',
  fieldManager,
  watches: [
    { kind: kinds.daemonSet, concerns: () => [allTogether] },
    { kind: kinds.node, concerns: () => [allTogether] },
  ],
  observe: (_key, cache) => ({ daemonSets: cache.list(kinds.daemonSet), nodes: cache.list(kinds.node) }),
  decide: ({ daemonSets, nodes }) => ({
    steps: [
      daemonSets.flatMap((daemonSet) => writesOf(kinds.daemonSet, daemonSet, daemonSetStatus(daemonSet, nodes).status)),
    ],
  }),
};
