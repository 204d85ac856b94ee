/**
 * Autoscalers are stored as v2. What v1 has no field for travels in annotations, which exist only in v1: they are made for
 * it on the way out and read on the way in.
 */
import {
  goJson,
  isJsonObject,
  JsonError,
  parseJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import {
  cpuMetric,
  defaultCpuUtilization,
  type AutoscalerFields,
  type AutoscalerSpec,
  type MetricSpec,
  type MetricStatus,
} from './autoscaler-fields.ts';
import { internalBehavior, readBehavior } from './behavior-conversion.ts';
import { newMetric, newMetricStatus, oldMetric, oldMetricStatus } from './metric-conversion.ts';
import { present } from './present-fields.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const metricsAnnotation = `${prefix}metrics`;
const behaviorAnnotation = `${prefix}behavior`;
const currentMetricsAnnotation = `${prefix}current-metrics`;
const conditionsAnnotation = `${prefix}conditions`;

const travelling = [
  metricsAnnotation,
  behaviorAnnotation,
  currentMetricsAnnotation,
  conditionsAnnotation,
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
];

interface OldAutoscaler {
  readonly spec?: {
    readonly scaleTargetRef?: AutoscalerSpec['scaleTargetRef'];
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
    readonly targetCPUUtilizationPercentage?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastScaleTime?: string;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentCPUUtilizationPercentage?: number;
  };
}

export function toAutoscalerV2(object: KubeObject): KubeObject {
  const { metadata } = object;
  const { spec = {}, status = {} } = object as KubeObject & OldAutoscaler;
  const { annotations = {} } = metadata;
  const behavior = readBehavior(annotation(annotations, behaviorAnnotation) ?? null);
  return {
    kind: object.kind,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata, withoutTravelling(annotations)),
    spec: {
      scaleTargetRef: spec.scaleTargetRef ?? { kind: '', name: '' },
      ...present({ minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas ?? 0,
      metrics: metricsOf(spec, annotations),
      ...present({ behavior }),
    },
    status: newStatus(status, annotations),
  };
}

export function toAutoscalerV1(object: KubeObject): KubeObject {
  const { metadata } = object;
  const { spec, status } = object as KubeObject & Pick<AutoscalerFields, 'spec'> & Partial<AutoscalerFields>;
  const { metrics = [], behavior } = spec;
  const currentMetrics = status?.currentMetrics ?? [];
  const others = metrics.filter((metric) => cpuShare(metric) === undefined);
  const annotations = withoutTravelling(metadata.annotations ?? {});
  const write = (name: string, value: JsonValue) => {
    annotations[name] = goJson(value, { sortKeys: false });
  };
  if (others.length > 0) write(metricsAnnotation, others.map(oldMetric));
  if (currentMetrics.length > 0) write(currentMetricsAnnotation, currentMetrics.map(oldMetricStatus));
  if (behavior !== undefined) write(behaviorAnnotation, internalBehavior(behavior));
  if ((status?.conditions ?? []).length > 0) write(conditionsAnnotation, status?.conditions ?? []);
  return {
    kind: object.kind,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata, annotations),
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      ...present({ minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      ...present({ targetCPUUtilizationPercentage: metrics.map(cpuShare).find((share) => share !== undefined) }),
    },
    status: oldStatus(status, currentMetrics),
  };
}

function metricsOf(spec: NonNullable<OldAutoscaler['spec']>, annotations: Record<string, string>): MetricSpec[] {
  const { targetCPUUtilizationPercentage: cpu } = spec;
  const others = annotation(annotations, metricsAnnotation);
  const metrics = Array.isArray(others) ? others.filter(isJsonObject).map(newMetric) : [];
  if (cpu !== undefined) metrics.push(cpuMetric(cpu));
  return metrics.length > 0 ? metrics : [cpuMetric(defaultCpuUtilization)];
}

function newStatus(status: NonNullable<OldAutoscaler['status']>, annotations: Record<string, string>): JsonObject {
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0 } = status;
  const { currentCPUUtilizationPercentage: cpu } = status;
  const told = annotation(annotations, currentMetricsAnnotation);
  const conditions = annotation(annotations, conditionsAnnotation);
  const fromField = cpu === undefined ? null : [currentCpu(cpu)];
  return {
    ...present({ observedGeneration, lastScaleTime }),
    ...(currentReplicas === 0 ? {} : { currentReplicas }),
    desiredReplicas,
    currentMetrics: Array.isArray(told) ? told.filter(isJsonObject).map(newMetricStatus) : fromField,
    ...(Array.isArray(conditions) && conditions.length > 0 ? { conditions } : {}),
  };
}

function oldStatus(status: AutoscalerFields['status'] | undefined, metrics: readonly MetricStatus[]): JsonObject {
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0 } = status ?? {};
  const cpu = metrics.findLast((metric) => currentCpuShare(metric) !== undefined);
  return {
    ...present({ observedGeneration, lastScaleTime }),
    currentReplicas,
    desiredReplicas,
    ...present({ currentCPUUtilizationPercentage: cpu && currentCpuShare(cpu) }),
  };
}

/** The one metric that v1 has a field for. */
function cpuShare({ type, resource }: MetricSpec): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource.target.averageUtilization : undefined;
}

function currentCpuShare({ type, resource }: MetricStatus): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu' ? resource.current.averageUtilization : undefined;
}

function currentCpu(averageUtilization: number): MetricStatus {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

/** An annotation that is no JSON is as good as none. */
function annotation(annotations: Readonly<Record<string, string>>, name: string): JsonValue | undefined {
  const text = annotations[name];
  if (text === undefined) return undefined;
  try {
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

function withoutTravelling(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !travelling.includes(name)));
}

function withAnnotations(metadata: ObjectMeta, annotations: Record<string, string>): ObjectMeta {
  const changed = { ...metadata, annotations };
  if (Object.keys(annotations).length === 0) delete (changed as ObjectMeta).annotations;
  return changed;
}
