/** The fields of an autoscaler in v2, the storage version. */
import type { JsonObject, LabelSelectorObject } from '@flotilla/kube';

export interface AutoscalerFields {
  spec: AutoscalerSpec;
  status: AutoscalerStatus;
}

export interface AutoscalerSpec {
  scaleTargetRef: ScaleTarget;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: MetricSpec[];
  behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
}

export interface ScaleTarget extends JsonObject {
  kind: string;
  name: string;
  apiVersion?: string;
}

export interface ScalingRules extends JsonObject {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: ScalingPolicy[];
  tolerance?: string;
}

export interface ScalingPolicy extends JsonObject {
  type: string;
  value: number;
  periodSeconds: number;
}

export interface MetricSpec extends JsonObject {
  type: string;
  object?: { describedObject: ScaleTarget; target: MetricTarget; metric: MetricIdentifier };
  pods?: { metric: MetricIdentifier; target: MetricTarget };
  resource?: { name: string; target: MetricTarget };
  containerResource?: { name: string; target: MetricTarget; container: string };
  external?: { metric: MetricIdentifier; target: MetricTarget };
}

export interface MetricIdentifier extends JsonObject {
  name: string;
  selector?: LabelSelectorObject;
}

export interface MetricTarget extends JsonObject {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

interface AutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: MetricStatus[] | null;
  conditions?: JsonObject[];
}

export interface MetricStatus extends JsonObject {
  type: string;
  object?: { metric: MetricIdentifier; current: MetricValue; describedObject: ScaleTarget };
  pods?: { metric: MetricIdentifier; current: MetricValue };
  resource?: { name: string; current: MetricValue };
  containerResource?: { name: string; current: MetricValue; container: string };
  external?: { metric: MetricIdentifier; current: MetricValue };
}

export interface MetricValue extends JsonObject {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export const defaultCpuUtilization = 80;

export function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}
