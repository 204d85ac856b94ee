/**
 * Converts HorizontalPodAutoscalers between versions. Version 1 has only a target for CPU, so annotations hold the
 * other fields of version 2.
 */
import {
  goJson,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { decodeTyped } from '../../decode/decode-typed.ts';
import type { StructType } from '../../table/struct-type.ts';
import { structType } from '../../table/type-table.ts';
import { cpuMetric, defaultCpuUtilization } from './autoscaler-fields.ts';
import { specToV1, specToV2, statusToV1, statusToV2 } from './metric-conversion.ts';

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics';
const currentMetricsAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics';
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions';
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior';

const roundTripAnnotations = [
  metricsAnnotation,
  currentMetricsAnnotation,
  conditionsAnnotation,
  behaviorAnnotation,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
];

/** Converts autoscaling/v2 to autoscaling/v1. The object is in wire form, and is not changed. */
export function autoscalerToV1(object: KubeObject): KubeObject {
  const spec = objectIn(object, 'spec');
  const status = objectIn(object, 'status');
  const metrics = objectsIn(spec, 'metrics');
  const currentMetrics = objectsIn(status, 'currentMetrics');
  return decoded('autoscaling/v1', {
    ...object,
    metadata: withAnnotations(object, annotationsOf(spec, status)),
    spec: { ...spec, targetCPUUtilizationPercentage: metrics.map(cpuTarget).find(isPresent) ?? null },
    status: { ...status, currentCPUUtilizationPercentage: currentMetrics.map(currentCpu).findLast(isPresent) ?? null },
  });
}

/** Converts autoscaling/v1 to autoscaling/v2. The object is in wire form, and is not changed. */
export function autoscalerToV2(object: KubeObject): KubeObject {
  const spec = objectIn(object, 'spec');
  const status = objectIn(object, 'status');
  const annotations = object.metadata.annotations ?? {};
  const cpu = spec['targetCPUUtilizationPercentage'] ?? null;
  const metrics = [
    ...(listFrom(annotations[metricsAnnotation], 'MetricSpec')?.map(specToV2) ?? []),
    ...(cpu === null ? [] : [cpuMetric(cpu as number)]),
  ];
  return decoded('autoscaling/v2', {
    ...object,
    metadata: withAnnotations(object, {}),
    spec: {
      ...spec,
      metrics: metrics.length > 0 ? metrics : [cpuMetric(defaultCpuUtilization)],
      behavior: behaviorFromAnnotation(annotations[behaviorAnnotation]),
    },
    status: {
      ...status,
      currentMetrics:
        listFrom(annotations[currentMetricsAnnotation], 'MetricStatus')?.map(statusToV2) ?? currentCpuMetrics(status),
      conditions: listFrom(annotations[conditionsAnnotation], 'HorizontalPodAutoscalerCondition') ?? null,
    },
  });
}

/**
 * Kubernetes drops the annotations of conversion from every object that it reads as version 2, so users cannot store
 * them.
 */
export function dropRoundTripAnnotations(metadata: ObjectMeta): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const name of roundTripAnnotations) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** The fields that version 1 does not have. */
function annotationsOf(spec: JsonObject, status: JsonObject): Record<string, string> {
  const otherMetrics = objectsIn(spec, 'metrics').filter((metric) => cpuTarget(metric) === null);
  const currentMetrics = objectsIn(status, 'currentMetrics');
  const conditions = objectsIn(status, 'conditions');
  const behavior = spec['behavior'];
  return {
    ...(otherMetrics.length > 0 && { [metricsAnnotation]: listText(otherMetrics.map(specToV1), 'MetricSpec') }),
    ...(currentMetrics.length > 0 && {
      [currentMetricsAnnotation]: listText(currentMetrics.map(statusToV1), 'MetricStatus'),
    }),
    ...(isPresent(behavior) && { [behaviorAnnotation]: behaviorToAnnotation(behavior as JsonObject) }),
    ...(conditions.length > 0 && { [conditionsAnnotation]: listText(conditions, 'HorizontalPodAutoscalerCondition') }),
  };
}

function withAnnotations({ metadata }: KubeObject, added: Record<string, string>): KubeObject['metadata'] {
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !roundTripAnnotations.includes(name));
  const all = Object.fromEntries([...kept, ...Object.entries(added)]);
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all };
}

/** The CPU target, for which version 1 has a field, or null. */
function cpuTarget(metric: JsonObject): JsonValue {
  return cpuUtilization(metric, 'target');
}

function currentCpu(metric: JsonObject): JsonValue {
  return cpuUtilization(metric, 'current');
}

function cpuUtilization(metric: JsonObject, amounts: 'target' | 'current'): JsonValue {
  const resource = metric['resource'];
  if (metric['type'] !== 'Resource' || !isJsonObject(resource) || resource['name'] !== 'cpu') return null;
  return objectIn(resource, amounts)['averageUtilization'] ?? null;
}

function currentCpuMetrics(status: JsonObject): JsonValue {
  const averageUtilization = status['currentCPUUtilizationPercentage'] ?? null;
  if (averageUtilization === null) return null;
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }];
}

/** A list of structs of autoscaling/v1 in Go's encoding. */
function listText(list: readonly JsonObject[], typeName: string): string {
  const type = structType('autoscaling/v1', typeName);
  return goJson(
    list.map((element) => decodeTyped(type, element).object),
    { sortKeys: false },
  );
}

/** The list in an annotation. Undefined if it is absent or cannot be decoded. */
function listFrom(text: string | undefined, typeName: string): JsonObject[] | undefined {
  if (text === undefined) return undefined;
  const value = parsed(text);
  if (value === null) return [];
  if (!Array.isArray(value)) return undefined;
  const type = structType('autoscaling/v1', typeName);
  const elements = value.map((element) => decodeTyped(type, element));
  return elements.some(({ problems }) => problems.error !== undefined)
    ? undefined
    : elements.map(({ object }) => object);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text).value;
  } catch {
    return undefined; // users may write anything into the annotation
  }
}

function decoded(apiVersion: string, object: JsonObject): KubeObject {
  const type: StructType = structType(apiVersion, 'HorizontalPodAutoscaler');
  return decodeTyped(type, { ...object, apiVersion }).object as KubeObject;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function objectsIn(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

function isPresent(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** The behavior annotation has Go's field names, because Kubernetes once encoded it from a struct without tags. */
function behaviorToAnnotation(behavior: JsonObject): string {
  const text = { ScaleUp: rulesToGo(behavior['scaleUp']), ScaleDown: rulesToGo(behavior['scaleDown']) };
  return goJson(text, { sortKeys: false });
}

/** Null if the annotation is absent, empty or cannot be decoded. */
function behaviorFromAnnotation(text: string | undefined): JsonValue {
  if (text === undefined) return null;
  let value: JsonValue;
  try {
    value = withJsonNames(parseJson(text).value);
  } catch {
    return null;
  }
  const { object, problems } = decodeTyped(structType('autoscaling/v2', 'HorizontalPodAutoscalerBehavior'), value);
  return problems.error === undefined && Object.keys(object).length > 0 ? object : null;
}

function rulesToGo(rules: JsonValue | undefined): JsonValue {
  if (!isJsonObject(rules)) return null;
  const policies = rules['policies'];
  return {
    StabilizationWindowSeconds: rules['stabilizationWindowSeconds'] ?? null,
    SelectPolicy: rules['selectPolicy'] ?? null,
    Policies: Array.isArray(policies) ? policies.map((policy) => policyToGo(policy as JsonObject)) : null,
    Tolerance: rules['tolerance'] ?? null,
  };
}

function policyToGo({ type = '', value = 0, periodSeconds = 0 }: JsonObject): JsonObject {
  return { Type: type, Value: value, PeriodSeconds: periodSeconds };
}

const jsonNames = [
  'scaleUp',
  'scaleDown',
  'stabilizationWindowSeconds',
  'selectPolicy',
  'policies',
  'tolerance',
  'type',
  'value',
  'periodSeconds',
];

/** Go decodes these field names in any letter case. */
const jsonNameByLowerCase = new Map(jsonNames.map((name) => [name.toLowerCase(), name]));

/** Behavior, its rules, their list of policies, and each policy. */
const annotationDepth = 4;

function withJsonNames(value: JsonValue, depth = annotationDepth): JsonValue {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((element) => withJsonNames(element, depth - 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, child]) => [
    jsonNameByLowerCase.get(name.toLowerCase()) ?? name,
    withJsonNames(child ?? null, depth - 1),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
