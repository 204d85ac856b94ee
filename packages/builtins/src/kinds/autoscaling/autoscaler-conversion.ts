/**
 * HorizontalPodAutoscaler between its two versions. Version 1 knows only a target for CPU; what else version 2 says stands in
 * annotations while an object is shown as version 1.
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

/** An object of autoscaling/v2 as autoscaling/v1. The object is in wire form, and stays as it is. */
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

/** An object of autoscaling/v1 as autoscaling/v2. The object is in wire form, and stays as it is. */
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

/** Nobody may store what only conversion writes: Kubernetes drops these from whatever it reads as version 2. */
export function dropRoundTripAnnotations(metadata: ObjectMeta): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const name of roundTripAnnotations) delete annotations[name];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
}

/** What version 1 has no fields for. */
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

/** The target that version 1 has a field for, or null. */
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

/** A list of structs of autoscaling/v1 as Go writes it. */
function listText(list: readonly JsonObject[], typeName: string): string {
  const type = structType('autoscaling/v1', typeName);
  return goJson(
    list.map((element) => decodeTyped(type, element).object),
    { sortKeys: false },
  );
}

/** The list in an annotation; undefined where there is none that can be read. */
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
    return undefined; // whoever wrote the annotation, it is not the whole truth without it
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

/** The annotation for an autoscaler's behavior has Go's field names: it was once written from a struct without tags. */

function behaviorToAnnotation(behavior: JsonObject): string {
  const text = { ScaleUp: rulesToGo(behavior['scaleUp']), ScaleDown: rulesToGo(behavior['scaleDown']) };
  return goJson(text, { sortKeys: false });
}

/** Null where the annotation is absent, cannot be read, or says nothing. */
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

/** Go reads field names in any letter case there. */
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
