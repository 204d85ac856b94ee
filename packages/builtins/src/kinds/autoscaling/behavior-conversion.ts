/** Scaling behaviour in the annotation of v1, which holds Kubernetes' internal form of it. */
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { AutoscalerSpec, ScalingPolicy, ScalingRules } from './autoscaler-fields.ts';
import { present } from './present-fields.ts';

type Behavior = NonNullable<AutoscalerSpec['behavior']>;

export function internalBehavior({ scaleUp, scaleDown }: Behavior): JsonObject {
  return { ScaleUp: internalRules(scaleUp), ScaleDown: internalRules(scaleDown) };
}

/** Undefined for what says nothing. Go reads field names in any case. */
export function readBehavior(value: JsonValue): Behavior | undefined {
  const { scaleup, scaledown } = lowerCased(value);
  const behavior = present({ scaleUp: readRules(scaleup), scaleDown: readRules(scaledown) });
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

function internalRules(rules: ScalingRules | undefined): JsonValue {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies: (rules.policies ?? null) && (rules.policies ?? []).map(internalPolicy),
    Tolerance: rules.tolerance ?? null,
  };
}

function internalPolicy({ type, value, periodSeconds }: ScalingPolicy): JsonObject {
  return { Type: type, Value: value, PeriodSeconds: periodSeconds };
}

function readRules(value: JsonValue | undefined): ScalingRules | undefined {
  if (!isJsonObject(value)) return undefined;
  const { stabilizationwindowseconds: seconds, selectpolicy, policies, tolerance } = lowerCased(value);
  return present({
    stabilizationWindowSeconds: typeof seconds === 'number' ? seconds : undefined,
    selectPolicy: typeof selectpolicy === 'string' ? selectpolicy : undefined,
    policies: Array.isArray(policies) ? policies.map(readPolicy) : undefined,
    tolerance: typeof tolerance === 'string' ? tolerance : undefined,
  });
}

function readPolicy(source: JsonValue): ScalingPolicy {
  const { type, value, periodseconds } = lowerCased(source);
  return {
    type: typeof type === 'string' ? type : '',
    value: typeof value === 'number' ? value : 0,
    periodSeconds: typeof periodseconds === 'number' ? periodseconds : 0,
  };
}

function lowerCased(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field]));
}
