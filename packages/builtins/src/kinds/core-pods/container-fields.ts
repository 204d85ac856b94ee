/** The fields of containers that the server reads, in wire form. */
import type { JsonObject } from '@flotilla/kube';
import type { Int64, ProfileFields, ResourceRequirementsFields, WindowsOptionsFields } from './pod-fields.ts';

export interface ContainerFields extends JsonObject {
  name: string;
  image?: string;
  ports?: ContainerPortFields[];
  envFrom?: EnvFromFields[];
  env?: EnvVarFields[];
  resources?: ResourceRequirementsFields;
  resizePolicy?: { resourceName: string; restartPolicy: string }[];
  restartPolicy?: string;
  restartPolicyRules?: RestartRuleFields[];
  volumeMounts?: VolumeMountFields[];
  volumeDevices?: { name: string; devicePath: string }[];
  livenessProbe?: ProbeFields;
  readinessProbe?: ProbeFields;
  startupProbe?: ProbeFields;
  lifecycle?: LifecycleFields;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContextFields;
  /** Only in ephemeral containers. */
  targetContainerName?: string;
}

export interface ContainerPortFields extends JsonObject {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
}

export interface EnvFromFields extends JsonObject {
  prefix?: string;
  configMapRef?: { name?: string; optional?: boolean };
  secretRef?: { name?: string; optional?: boolean };
}

export interface FieldRefFields extends JsonObject {
  apiVersion?: string;
  fieldPath: string;
}

export interface ResourceFieldRefFields extends JsonObject {
  containerName?: string;
  resource: string;
  divisor?: string;
}

export interface KeyRefFields extends JsonObject {
  name?: string;
  key: string;
  optional?: boolean;
}

export interface FileKeyRefFields extends JsonObject {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}

export interface EnvVarFields extends JsonObject {
  name: string;
  value?: string;
  valueFrom?: {
    fieldRef?: FieldRefFields;
    resourceFieldRef?: ResourceFieldRefFields;
    configMapKeyRef?: KeyRefFields;
    secretKeyRef?: KeyRefFields;
    fileKeyRef?: FileKeyRefFields;
  };
}

export interface RestartRuleFields extends JsonObject {
  action?: string;
  exitCodes?: { operator: string; values?: number[] };
}

export interface VolumeMountFields extends JsonObject {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
}

export interface HttpGetFields extends JsonObject {
  path?: string;
  port: number | string;
  scheme?: string;
  httpHeaders?: { name: string; value: string }[];
}

export interface HandlerFields extends JsonObject {
  exec?: { command?: string[] };
  httpGet?: HttpGetFields;
  tcpSocket?: { port: number | string; host?: string };
  grpc?: { port: number; service?: string };
  sleep?: { seconds: Int64 };
}

export interface ProbeFields extends HandlerFields {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: Int64;
}

export interface LifecycleFields extends JsonObject {
  postStart?: HandlerFields;
  preStop?: HandlerFields;
  stopSignal?: string;
}

export interface SecurityContextFields extends JsonObject {
  capabilities?: { add?: string[]; drop?: string[] };
  privileged?: boolean;
  windowsOptions?: WindowsOptionsFields;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: ProfileFields;
  appArmorProfile?: ProfileFields;
}
