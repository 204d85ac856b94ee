/** The simulated kinds, with the fields that the simulation reads. */
import {
  deployments,
  nodes,
  pods,
  type JsonObject,
  type Kind,
  type KubeObject,
  type LabelSelectorObject,
  type ObjectMeta,
} from '@flotilla/kube';

import type { PodTemplate, NodeSelectorTerm, Taint, ResourceRequirements, Condition, Pod } from './pod-kinds.ts';

export type * from './pod-kinds.ts';

/** A ReplicaSet, or a ReplicationController, whose selector is a map of labels. */
export interface ReplicaSet extends KubeObject {
  spec?: { replicas?: number; minReadySeconds?: number; selector?: JsonObject; template?: PodTemplate };
  status?: {
    replicas?: number;
    fullyLabeledReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    terminatingReplicas?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

/** A count, or a percentage such as `25%`. */
export type IntOrString = number | string;

export interface Deployment extends KubeObject {
  spec?: {
    replicas?: number;
    selector?: JsonObject;
    template?: PodTemplate;
    minReadySeconds?: number;
    paused?: boolean;
    revisionHistoryLimit?: number;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: IntOrString; maxUnavailable?: IntOrString } };
    progressDeadlineSeconds?: number;
  };
  status?: DeploymentStatus;
}

export interface DeploymentStatus extends JsonObject {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
  conditions?: DeploymentCondition[];
}

export interface DeploymentCondition extends Condition {
  lastUpdateTime?: string;
}

export interface StatefulSet extends KubeObject {
  spec?: {
    replicas?: number;
    selector?: JsonObject;
    serviceName?: string;
    template?: PodTemplate;
    volumeClaimTemplates?: VolumeClaim[];
    podManagementPolicy?: string;
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
    ordinals?: { start?: number };
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  };
  status?: {
    currentRevision?: string;
    updateRevision?: string;
    availableReplicas?: number;
    currentReplicas?: number;
    collisionCount?: number;
  };
}

export interface DaemonSet extends KubeObject {
  spec?: {
    selector?: JsonObject;
    template?: PodTemplate;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrString; maxSurge?: IntOrString };
    };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
  };
  status?: {
    numberAvailable?: number;
    numberMisscheduled?: number;
    observedGeneration?: number;
    collisionCount?: number;
    conditions?: Condition[];
  };
}

/** A template as it was: StatefulSets and DaemonSets return to it by patch. */
export interface ControllerRevision extends KubeObject {
  revision?: number | bigint;
  data?: { spec?: { template?: PodTemplate } };
}

export interface VolumeClaim extends KubeObject {
  spec?: {
    volumeName?: string;
    storageClassName?: string;
    accessModes?: string[];
    resources?: ResourceRequirements;
    selector?: JsonObject;
    volumeMode?: string;
    volumeAttributesClassName?: string;
  };
  status?: {
    phase?: string;
    accessModes?: string[];
    capacity?: Record<string, string>;
    currentVolumeAttributesClassName?: string;
  };
}

export interface PersistentVolume extends KubeObject {
  spec?: {
    claimRef?: ObjectReference;
    capacity?: Record<string, string>;
    accessModes?: string[];
    storageClassName?: string;
    volumeMode?: string;
    volumeAttributesClassName?: string;
    persistentVolumeReclaimPolicy?: string;
    nodeAffinity?: { required?: { nodeSelectorTerms?: NodeSelectorTerm[] } };
    hostPath?: { path?: string };
    csi?: JsonObject;
  };
  status?: { phase?: string; message?: string };
}

export interface ObjectReference extends JsonObject {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

export interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  mountOptions?: string[];
}

export interface Job extends KubeObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export interface JobSpec extends JsonObject {
  completions?: number;
  parallelism?: number;
  suspend?: boolean;
  completionMode?: string;
  selector?: JsonObject;
  template?: PodTemplate;
  managedBy?: string;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  podReplacementPolicy?: string;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: { rules?: { succeededIndexes?: string; succeededCount?: number }[] };
}

export interface PodFailurePolicy extends JsonObject {
  rules?: {
    action?: string;
    onExitCodes?: { containerName?: string; operator?: string; values?: number[] };
    onPodConditions?: { type?: string; status?: string }[];
  }[];
}

export interface JobStatus extends JsonObject {
  conditions?: Condition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

export interface CronJob extends KubeObject {
  spec?: {
    schedule?: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate?: { metadata?: ObjectMeta; spec?: JobSpec };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status?: CronJobStatus;
}

export interface CronJobStatus extends JsonObject {
  active?: ObjectReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}

export interface DisruptionBudget extends KubeObject {
  spec?: { minAvailable?: IntOrString; maxUnavailable?: IntOrString; selector?: LabelSelectorObject & JsonObject };
  status?: DisruptionBudgetStatus;
}

export interface DisruptionBudgetStatus extends JsonObject {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: Condition[];
}

export interface Autoscaler extends KubeObject {
  spec?: {
    scaleTargetRef?: { apiVersion?: string; kind?: string; name?: string };
    minReplicas?: number;
    maxReplicas?: number;
    metrics?: MetricSource[];
    behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
  };
  status?: AutoscalerStatus;
}

export interface MetricSource extends JsonObject {
  type?: string;
  resource?: { name?: string; target?: MetricTarget };
  containerResource?: { name?: string; container?: string; target?: MetricTarget };
  pods?: { metric?: { name?: string } };
  object?: { metric?: { name?: string } };
  external?: { metric?: { name?: string }; target?: MetricTarget };
}

export interface MetricTarget extends JsonObject {
  averageUtilization?: number;
  averageValue?: string;
}

export interface ScalingRules extends JsonObject {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type?: string; value?: number; periodSeconds?: number }[];
  tolerance?: string;
}

export interface AutoscalerStatus extends JsonObject {
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas?: number;
  currentMetrics?: JsonObject[] | null;
  conditions?: Condition[];
}

export interface Node extends KubeObject {
  spec?: { podCIDR?: string; podCIDRs?: string[]; providerID?: string; unschedulable?: boolean; taints?: Taint[] };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    addresses?: { type?: string; address?: string }[];
    conditions?: Condition[];
    daemonEndpoints?: JsonObject;
    nodeInfo?: JsonObject;
  };
}

const apps = { group: 'apps', version: 'v1', namespaced: true } as const;

export const kinds = {
  pod: pods as Kind<Pod>,
  replicationController: {
    group: '',
    version: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    namespaced: true,
  } as Kind<ReplicaSet>,
  replicaSet: { ...apps, kind: 'ReplicaSet', plural: 'replicasets' } as Kind<ReplicaSet>,
  deployment: deployments as Kind<Deployment>,
  statefulSet: { ...apps, kind: 'StatefulSet', plural: 'statefulsets' } as Kind<StatefulSet>,
  daemonSet: { ...apps, kind: 'DaemonSet', plural: 'daemonsets' } as Kind<DaemonSet>,
  controllerRevision: {
    ...apps,
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
  } as Kind<ControllerRevision>,
  volumeClaim: {
    group: '',
    version: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    namespaced: true,
  } as Kind<VolumeClaim>,
  volume: {
    group: '',
    version: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    namespaced: false,
  } as Kind<PersistentVolume>,
  storageClass: {
    group: 'storage.k8s.io',
    version: 'v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    namespaced: false,
  } as Kind<StorageClass>,
  job: { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true } as Kind<Job>,
  cronJob: { group: 'batch', version: 'v1', kind: 'CronJob', plural: 'cronjobs', namespaced: true } as Kind<CronJob>,
  disruptionBudget: {
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    namespaced: true,
  } as Kind<DisruptionBudget>,
  autoscaler: {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    namespaced: true,
  } as Kind<Autoscaler>,
  node: nodes as Kind<Node>,
};
