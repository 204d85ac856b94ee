import type { Kind, KubeObject } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { WorkloadBehaviour } from './behaviour/workload-behaviour.ts';
import { endpointSliceController } from './endpoint-slices/controller.ts';
import { endpointSliceMirroringController } from './endpoint-slices/mirroring-controller.ts';
import { endpointsController } from './endpoints/controller.ts';
import { ingressController } from './ingresses/controller.ts';
import { loadBalancerController } from './services/load-balancer.ts';
import { kinds } from './kinds.ts';
import { daemonSetController } from './daemon-sets/controller.ts';
import { deploymentStatus } from './workloads/deployment-status.ts';
import { disruptionController } from './disruption-budgets/controller.ts';
import { staleDisruptionController } from './disruption-budgets/stale-disruption.ts';
import { cronJobController } from './cron-jobs/controller.ts';
import { ttlController } from './finished-objects/ttl-controller.ts';
import { jobController, trackedPodController } from './jobs/controller.ts';
import { kubeletController } from './kubelet/controller.ts';
import { schedulerController } from './scheduling/controller.ts';
import { conditionTaintController } from './nodes/condition-taints.ts';
import { replicaSetController, replicationController } from './replica-sets/controller.ts';
import { statusPlan, type NextStatus } from './status/next-status.ts';
import { statefulSetController } from './stateful-sets/controller.ts';

const fieldManager = 'kube-controller-manager';

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

/** What kube-controller-manager runs, beside the controllers of housekeeping. */
export const workloadControllers = (behaviour: WorkloadBehaviour): readonly Controller[] => [
  replicaSetController,
  replicationController,
  statefulSetController,
  daemonSetController(),
  conditionTaintController,
  jobController(),
  trackedPodController,
  cronJobController(),
  ttlController,
  endpointsController,
  endpointSliceController,
  endpointSliceMirroringController,
  loadBalancerController(behaviour.loadBalancers),
  ...(behaviour.loadBalancers ? [ingressController] : []),
  disruptionController,
  staleDisruptionController,
];

/** Scheduler and kubelets. Until the other Deployment controller replaces it, Deployments become available without pods. */
export const podControllers = (behaviour: WorkloadBehaviour, clock: Clock): readonly Controller[] => [
  schedulerController(behaviour),
  kubeletController(behaviour, clock),
  statusController(kinds.deployment, 'deployment-controller', deploymentStatus),
];
