/** What a provider answers goes to the hub in one piece: one field that the hub refuses would cost the whole heartbeat. */
import { propertyNames, reportLimits as limits } from '@flotilla/api';
import { isJsonObject, parseQuantity, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { CollectedProperties } from './property-provider.ts';

/** A sentence about the first thing in an answer that the hub would refuse. */
export function problemOfAnswer(answer: unknown): string | undefined {
  const value = answer as JsonValue | undefined;
  if (!isJsonObject(value)) return 'the answer is no object';
  return (
    problemInEach(value, 'properties', limits.properties, problemOfProperty, true) ??
    problemInEach(objectIn(value, 'resources'), 'capacity', limits.resources, problemOfAmount) ??
    problemInEach(objectIn(value, 'resources'), 'allocatable', limits.resources, problemOfAmount) ??
    problemInEach(objectIn(value, 'resources'), 'available', limits.resources, problemOfAmount) ??
    problemInEach(value, 'namespaces', limits.namespaces, problemOfWork) ??
    problemOfConditions(value['conditions'])
  );
}

/** Only what belongs there, however much more the provider has put beside it. */
export function reported({ properties, resources, namespaces, conditions }: CollectedProperties): CollectedProperties {
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
  if (!isJsonObject(map)) return `${field} is no object`;
  const entries = Object.entries(map);
  if (entries.length > max) return `${field} has ${entries.length} entries, and the hub keeps ${max}`;
  for (const [name, value] of entries) {
    if (name.length > limits.nameBytes) return `a name in ${field} is longer than ${limits.nameBytes} characters`;
    const problem = problemOf(value, name);
    if (problem !== undefined) return `${field}[${JSON.stringify(name)}] ${problem}`;
  }
  return undefined;
}

function problemOfProperty(value: JsonValue | undefined, name: string): string | undefined {
  if (!isJsonObject(value)) return 'is no object';
  if (typeof value['value'] !== 'string') return 'has a value that is no text';
  const max = name === propertyNames.certificateAuthorityData ? limits.authorityBytes : limits.valueBytes;
  if (value['value'].length > max) return `has a value of more than ${max} characters`;
  const time = value['observationTime'];
  const isTime = typeof time === 'string' && /^\d{4}-\d\d-\d\dT/.test(time) && !Number.isNaN(Date.parse(time));
  return isTime ? undefined : 'has an observationTime that is no time, such as 2026-01-31T00:00:00Z';
}

function problemOfWork(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.length <= limits.nameBytes ? undefined : 'is no name of a Work';
}

const notAnAmount = 'is no quantity, such as 500m or 2Gi';

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
  if (!Array.isArray(value)) return 'conditions is no list';
  return value.every(isCondition) ? undefined : 'a condition lacks type, status, reason or message, or has a wrong one';
}

function isCondition(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { type, status = null, reason, message } = value;
  const isType = typeof type === 'string' && /^[A-Za-z0-9][-A-Za-z0-9_./]*$/.test(type);
  const isReason = typeof reason === 'string' && /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason);
  return isType && isReason && statuses.includes(status) && typeof message === 'string';
}
