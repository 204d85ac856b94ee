/** The annotation for an autoscaler's behavior has Go's field names: it was once written from a struct without tags. */
import { goJson, isJsonObject, parseJson, type JsonObject, type JsonValue } from '@flotilla/kube';
import { decodeTyped } from '../../decode/decode-typed.ts';
import { structType } from '../../table/type-table.ts';

export function behaviorToAnnotation(behavior: JsonObject): string {
  const text = { ScaleUp: rulesToGo(behavior['scaleUp']), ScaleDown: rulesToGo(behavior['scaleDown']) };
  return goJson(text, { sortKeys: false });
}

/** Null where the annotation is absent, cannot be read, or says nothing. */
export function behaviorFromAnnotation(text: string | undefined): JsonValue {
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
