/** The simulated kinds, with the fields that the simulation reads. */
import { deployments, nodes, pods, type JsonObject, type Kind, type KubeObject, type ObjectMeta } from '@flotilla/kube';

export interface PodTemplate extends JsonObject {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

export interface PodSpec extends JsonObject {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  containers?: Container[];
  initContainers?: Container[];
}

export interface Container extends JsonObject {
  image?: string;
}

export interface ContainerStatus extends JsonObject {
  restartCount?: number;
}

export interface Condition extends JsonObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Pod extends KubeObject {
  spec?: PodSpec;
  status?: { phase?: string; conditions?: Condition[]; containerStatuses?: ContainerStatus[] };
}

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
    template?: PodTemplate;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: IntOrString; maxUnavailable?: IntOrString } };
    progressDeadlineSeconds?: number;
  };
  status?: { observedGeneration?: number; availableReplicas?: number; conditions?: DeploymentCondition[] };
}

export interface DeploymentCondition extends Condition {
  lastUpdateTime?: string;
}

export interface StatefulSet extends KubeObject {
  spec?: { replicas?: number; template?: PodTemplate; podManagementPolicy?: string };
  status?: { currentRevision?: string; updateRevision?: string; availableReplicas?: number };
}

export interface DaemonSet extends KubeObject {
  spec?: {
    template?: PodTemplate;
    updateStrategy?: { type?: string; rollingUpdate?: { maxUnavailable?: IntOrString } };
  };
  status?: { numberAvailable?: number };
}

export interface Job extends KubeObject {
  spec?: {
    completions?: number;
    parallelism?: number;
    suspend?: boolean;
    completionMode?: string;
    template?: PodTemplate;
  };
  status?: { startTime?: string; conditions?: Condition[] };
}

export interface Service extends KubeObject {
  spec?: { type?: string; loadBalancerClass?: string };
  status?: { loadBalancer?: { ingress?: JsonObject[] } };
}

export interface DisruptionBudget extends KubeObject {
  spec?: { minAvailable?: IntOrString };
  status?: { conditions?: Condition[] };
}

export interface Node extends KubeObject {
  spec?: { taints?: JsonObject[] };
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
  job: { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true } as Kind<Job>,
  service: { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true } as Kind<Service>,
  disruptionBudget: {
    group: 'policy',
    version: 'v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    namespaced: true,
  } as Kind<DisruptionBudget>,
  node: nodes as Kind<Node>,
};
