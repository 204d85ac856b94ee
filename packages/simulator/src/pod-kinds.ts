/** A pod and what it is made of, with the fields that the simulation reads. */
import type { JsonObject, KubeObject, ObjectMeta } from '@flotilla/kube';

export interface PodTemplate extends JsonObject {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}

export interface PodSpec extends JsonObject {
  nodeName?: string;
  nodeSelector?: Record<string, string>;
  schedulerName?: string;
  restartPolicy?: string;
  hostNetwork?: boolean;
  activeDeadlineSeconds?: number;
  priority?: number;
  containers?: Container[];
  initContainers?: Container[];
  hostname?: string;
  subdomain?: string;
  readinessGates?: { conditionType?: string }[];
  schedulingGates?: JsonObject[];
  tolerations?: Toleration[];
  affinity?: { nodeAffinity?: NodeAffinity; podAffinity?: PodAffinity; podAntiAffinity?: PodAffinity };
  topologySpreadConstraints?: SpreadConstraint[];
  volumes?: Volume[];
  overhead?: Record<string, string>;
  resources?: ResourceRequirements;
}

/** All requirements of a term must be met. */
export interface NodeSelectorTerm extends JsonObject {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement extends JsonObject {
  key: string;
  operator: string;
  values?: string[];
}

export interface Toleration extends JsonObject {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number | bigint;
}

export interface Taint extends JsonObject {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface Volume extends JsonObject {
  name: string;
  persistentVolumeClaim?: { claimName?: string };
  ephemeral?: { volumeClaimTemplate?: ClaimTemplate };
}

interface ClaimTemplate extends JsonObject {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec?: JsonObject;
}

export interface Container extends JsonObject {
  name?: string;
  image?: string;
  command?: string[];
  args?: string[];
  env?: ({ name?: string } & JsonObject)[];
  /** Of an init container with the value `Always`: it runs beside the others. */
  restartPolicy?: string;
  resources?: ResourceRequirements;
  ports?: ContainerPort[];
}

export interface ContainerPort extends JsonObject {
  name?: string;
  containerPort?: number;
  protocol?: string;
  hostIP?: string;
  hostPort?: number;
}

export interface ResourceRequirements extends JsonObject {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

export interface NodeAffinity extends JsonObject {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] };
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; preference?: NodeSelectorTerm }[];
}

/** Near to other pods, or away from them. */
export interface PodAffinity extends JsonObject {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; podAffinityTerm?: PodAffinityTerm }[];
}

export interface PodAffinityTerm extends JsonObject {
  labelSelector?: JsonObject;
  namespaces?: string[];
  namespaceSelector?: JsonObject;
  topologyKey?: string;
}

export interface SpreadConstraint extends JsonObject {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: JsonObject;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

export interface ContainerStatus extends JsonObject {
  name?: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  containerID?: string;
}

export interface ContainerState extends JsonObject {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: ContainerEnd;
}

export interface ContainerEnd extends JsonObject {
  exitCode?: number;
  reason?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
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
  status?: {
    phase?: string;
    reason?: string;
    message?: string;
    conditions?: Condition[];
    startTime?: string;
    podIP?: string;
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
    podIPs?: { ip?: string }[];
  };
}
