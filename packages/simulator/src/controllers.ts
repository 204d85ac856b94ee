import type { Controller } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { WorkloadBehaviour } from './behaviour/workload-behaviour.ts';
import { endpointSliceController } from './endpoint-slices/controller.ts';
import { endpointSliceMirroringController } from './endpoint-slices/mirroring-controller.ts';
import { endpointsController } from './endpoints/controller.ts';
import { ingressController } from './ingresses/controller.ts';
import { loadBalancerController } from './services/load-balancer.ts';
import { daemonSetController } from './daemon-sets/controller.ts';
import { deploymentController } from './deployments/controller.ts';
import { disruptionController } from './disruption-budgets/controller.ts';
import { staleDisruptionController } from './disruption-budgets/stale-disruption.ts';
import { autoscalerController } from './autoscalers/controller.ts';
import { cronJobController } from './cron-jobs/controller.ts';
import { podGarbageController } from './finished-objects/pod-garbage-controller.ts';
import { ttlController } from './finished-objects/ttl-controller.ts';
import { jobController, trackedPodController } from './jobs/controller.ts';
import { kubeletController } from './kubelet/controller.ts';
import { schedulerController } from './scheduling/controller.ts';
import { conditionTaintController } from './nodes/condition-taints.ts';
import { taintEvictionController } from './nodes/taint-eviction.ts';
import { replicaSetController, replicationController } from './replica-sets/controller.ts';
import { statefulSetController } from './stateful-sets/controller.ts';
import { claimController, provisionerController, volumeController } from './volume-claims/controllers.ts';
import { ephemeralClaimController } from './volume-claims/ephemeral-claims.ts';

/** What kube-controller-manager runs, beside the controllers of housekeeping. */
export const workloadControllers = (behaviour: WorkloadBehaviour, clock: Clock): readonly Controller[] => [
  deploymentController,
  replicaSetController,
  replicationController,
  statefulSetController,
  daemonSetController(),
  conditionTaintController,
  taintEvictionController(clock),
  claimController,
  ephemeralClaimController,
  volumeController(behaviour.storageClasses),
  provisionerController(behaviour.storageClasses),
  jobController(),
  trackedPodController,
  cronJobController(),
  ttlController,
  podGarbageController(),
  autoscalerController(),
  endpointsController,
  endpointSliceController,
  endpointSliceMirroringController,
  loadBalancerController(behaviour.loadBalancers),
  ...(behaviour.loadBalancers ? [ingressController] : []),
  disruptionController,
  staleDisruptionController,
];

/** Scheduler and kubelets. */
export const podControllers = (behaviour: WorkloadBehaviour, clock: Clock): readonly Controller[] => [
  schedulerController(behaviour),
  kubeletController(behaviour, clock),
];
