/** The fields of pods and pod templates that the server reads, in wire form. int64 fields may be bigints. */
import type { JsonObject, KubeObject, LabelSelectorObject, ObjectMeta } from '@flotilla/kube';
import type { ContainerFields } from './container-fields.ts';
import type { VolumeFields } from './volume-fields.ts';

export type Int64 = number | bigint;
export type ResourceList = Record<string, string>;

export interface PodFields extends KubeObject {
  spec: PodSpecFields;
  status: PodStatusFields;
}

export interface PodTemplateFields extends JsonObject {
  metadata?: ObjectMeta;
  spec: PodSpecFields;
}

export interface PodSpecFields extends JsonObject {
  volumes?: VolumeFields[];
  initContainers?: ContainerFields[];
  containers?: ContainerFields[] | null;
  ephemeralContainers?: ContainerFields[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: Int64;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContextFields;
  imagePullSecrets?: { name?: string }[];
  hostname?: string;
  subdomain?: string;
  affinity?: AffinityFields;
  schedulerName?: string;
  tolerations?: TolerationFields[];
  hostAliases?: HostAliasFields[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: DnsConfigFields;
  readinessGates?: { conditionType: string }[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: ResourceList;
  topologySpreadConstraints?: TopologySpreadConstraintFields[];
  setHostnameAsFQDN?: boolean;
  os?: { name: string };
  hostUsers?: boolean;
  schedulingGates?: { name: string }[];
  resourceClaims?: PodResourceClaimFields[];
  resources?: ResourceRequirementsFields;
  hostnameOverride?: string;
}

export interface ResourceRequirementsFields extends JsonObject {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: { name: string; request?: string }[];
}

export interface PodResourceClaimFields extends JsonObject {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface HostAliasFields extends JsonObject {
  ip: string;
  hostnames?: string[];
}

interface DnsConfigFields extends JsonObject {
  nameservers?: string[];
  searches?: string[];
  options?: { name?: string; value?: string }[];
}

export interface TolerationFields extends JsonObject {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: Int64;
}

export interface ProfileFields extends JsonObject {
  type?: string;
  localhostProfile?: string;
}

export interface WindowsOptionsFields extends JsonObject {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

export interface PodSecurityContextFields extends JsonObject {
  seLinuxOptions?: JsonObject;
  windowsOptions?: WindowsOptionsFields;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: Int64[];
  supplementalGroupsPolicy?: string;
  fsGroup?: Int64;
  sysctls?: { name: string; value: string }[];
  fsGroupChangePolicy?: string;
  seccompProfile?: ProfileFields;
  appArmorProfile?: ProfileFields;
  seLinuxChangePolicy?: string;
}

export interface NodeSelectorRequirementFields extends JsonObject {
  key: string;
  operator: string;
  values?: string[];
}

export interface NodeSelectorTermFields extends JsonObject {
  matchExpressions?: NodeSelectorRequirementFields[];
  matchFields?: NodeSelectorRequirementFields[];
}

export interface NodeAffinityFields extends JsonObject {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTermFields[] | null };
  preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeSelectorTermFields }[];
}

export interface PodAffinityTermFields extends JsonObject {
  labelSelector?: LabelSelectorObject;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelectorObject;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

export interface PodAffinityFields extends JsonObject {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTermFields[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; podAffinityTerm: PodAffinityTermFields }[];
}

export interface AffinityFields extends JsonObject {
  nodeAffinity?: NodeAffinityFields;
  podAffinity?: PodAffinityFields;
  podAntiAffinity?: PodAffinityFields;
}

export interface TopologySpreadConstraintFields extends JsonObject {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: LabelSelectorObject;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

export interface PodConditionFields extends JsonObject {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
}

interface ContainerStateFields extends JsonObject {
  waiting?: { reason?: string };
  running?: { startedAt?: string };
  terminated?: { exitCode: number; signal?: number; reason?: string; finishedAt?: string };
}

export interface ContainerStatusFields extends JsonObject {
  name: string;
  state?: ContainerStateFields;
  lastState?: ContainerStateFields;
  ready: boolean;
  started?: boolean;
  restartCount: number;
  resources?: ResourceRequirementsFields;
}

export interface PodStatusFields extends JsonObject {
  observedGeneration?: Int64;
  phase?: string;
  conditions?: PodConditionFields[];
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: { ip?: string }[];
  podIP?: string;
  podIPs?: { ip?: string }[];
  initContainerStatuses?: ContainerStatusFields[];
  containerStatuses?: ContainerStatusFields[];
  ephemeralContainerStatuses?: ContainerStatusFields[];
  qosClass?: string;
  resourceClaimStatuses?: { name: string; resourceClaimName?: string }[];
}

/** Visits every container with its path: init containers first, then the others, then ephemeral ones. */
export function visitContainers(
  spec: PodSpecFields,
  path: string,
  visit: (container: ContainerFields, path: string) => void,
): void {
  spec.initContainers?.forEach((container, i) => visit(container, `${path}.initContainers[${i}]`));
  spec.containers?.forEach((container, i) => visit(container, `${path}.containers[${i}]`));
  spec.ephemeralContainers?.forEach((container, i) => visit(container, `${path}.ephemeralContainers[${i}]`));
}
