/** Validates a provider's answer: the hub would refuse the whole heartbeat because of one invalid field. */
import { propertyNames, reportLimits as limits } from '@flotilla/api';
import { isJsonObject, parseQuantity, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { CollectedProperties } from './property-provider.ts';

/** The first problem for which the hub would refuse the answer; undefined if there is none. */
export function problemOfAnswer(answer: unknown): string | undefined {
  const value = answer as JsonValue | undefined;
  if (!isJsonObject(value)) return 'the answer is not an object';
  return (
    problemInEach(value, 'properties', limits.properties, problemOfProperty, true) ??
    problemInEach(objectIn(value, 'resources'), 'capacity', limits.resources, problemOfAmount) ??
    problemInEach(objectIn(value, 'resources'), 'allocatable', limits.resources, problemOfAmount) ??
    problemInEach(objectIn(value, 'resources'), 'available', limits.resources, problemOfAmount) ??
    problemInEach(value, 'namespaces', limits.namespaces, problemOfWork) ??
    problemOfConditions(value['conditions'])
  );
}

/** Drops unknown fields. */
export function knownFieldsOf({
  properties,
  resources,
  namespaces,
  conditions,
}: CollectedProperties): CollectedProperties {
  return { properties, resources, ...(namespaces && { namespaces }), ...(conditions && { conditions }) };
}

function objectIn(value: JsonObject, field: string): JsonObject {
  return isJsonObject(value[field]) ? value[field] : {};
}

function problemInEach(
  parent: JsonObject,
  field: string,
  max: number,
  problemOf: (value: JsonValue | undefined, name: string) => string | undefined,
  isRequired = false,
): string | undefined {
  const map = parent[field];
  if (map === undefined && !isRequired) return undefined;
  if (!isJsonObject(map)) return `${field} is not an object`;
  const entries = Object.entries(map);
  if (entries.length > max) return `${field} has ${entries.length} entries, but the hub keeps only ${max}`;
  for (const [name, value] of entries) {
    if (name.length > limits.nameBytes) return `a name in ${field} is longer than ${limits.nameBytes} characters`;
    const problem = problemOf(value, name);
    if (problem !== undefined) return `${field}[${JSON.stringify(name)}] ${problem}`;
  }
  return undefined;
}

function problemOfProperty(value: JsonValue | undefined, name: string): string | undefined {
  if (!isJsonObject(value)) return 'is not an object';
  if (typeof value['value'] !== 'string') return 'has a value that is not a string';
  const max = name === propertyNames.certificateAuthorityData ? limits.authorityBytes : limits.valueBytes;
  if (value['value'].length > max) return `has a value of more than ${max} characters`;
  const time = value['observationTime'];
  const isTime = typeof time === 'string' && /^\d{4}-\d\d-\d\dT/.test(time) && !Number.isNaN(Date.parse(time));
  return isTime ? undefined : 'has an observationTime that is not a time such as 2026-01-31T00:00:00Z';
}

function problemOfWork(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.length <= limits.nameBytes ? undefined : 'is not the name of a Work';
}

const notAnAmount = 'is not a quantity such as 500m or 2Gi';

function problemOfAmount(value: JsonValue | undefined): string | undefined {
  try {
    if (typeof value === 'string' || typeof value === 'number') parseQuantity(String(value));
    else return notAnAmount;
  } catch {
    return notAnAmount;
  }
  return undefined;
}

const statuses: readonly JsonValue[] = ['True', 'False', 'Unknown'];

function problemOfConditions(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return 'conditions is not a list';
  return value.every(isCondition) ? undefined : 'a condition has no type, status, reason or message, or an invalid one';
}

function isCondition(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { type, status = null, reason, message } = value;
  const isType = typeof type === 'string' && /^[A-Za-z0-9][-A-Za-z0-9_./]*$/.test(type);
  const isReason = typeof reason === 'string' && /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason);
  return isType && isReason && statuses.includes(status) && typeof message === 'string';
}
