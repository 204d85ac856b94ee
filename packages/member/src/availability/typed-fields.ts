/** Reads fields as the kind's Go type would: absent and null are zero values, and a wrong type is an error. */
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';

/** A field has the wrong type. */
export class FieldTypeError extends Error {
  override readonly name = 'FieldTypeError';
}

export function integerField(parent: JsonObject, name: string): number {
  return optionalInteger(parent, name) ?? 0;
}

export function optionalInteger(parent: JsonObject, name: string): number | undefined {
  const value = fieldOf(parent, name);
  if (value === undefined) return undefined;
  const number = value instanceof JsonFloat ? value.value : Number(value);
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonFloat;
  if (!isNumber || !Number.isInteger(number)) throw new FieldTypeError(`${name} is not an integer`);
  return number;
}

export function textField(parent: JsonObject, name: string): string {
  const value = fieldOf(parent, name) ?? '';
  if (typeof value !== 'string') throw new FieldTypeError(`${name} is not a string`);
  return value;
}

export function objectField(parent: JsonObject, name: string): JsonObject {
  const value = fieldOf(parent, name) ?? {};
  if (!isJsonObject(value)) throw new FieldTypeError(`${name} is not an object`);
  return value;
}

export function textsField(parent: JsonObject, name: string): readonly string[] {
  const list = listField(parent, name);
  if (!list.every((item) => typeof item === 'string')) throw new FieldTypeError(`${name} is not a list of strings`);
  return list;
}

export function objectsField(parent: JsonObject, name: string): readonly JsonObject[] {
  const list = listField(parent, name);
  if (!list.every((item) => isJsonObject(item))) throw new FieldTypeError(`${name} is not a list of objects`);
  return list;
}

function listField(parent: JsonObject, name: string): readonly JsonValue[] {
  const value = fieldOf(parent, name) ?? [];
  if (!Array.isArray(value)) throw new FieldTypeError(`${name} is not a list`);
  return value;
}

function fieldOf(parent: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(parent, name) ? (parent[name] ?? undefined) : undefined;
}
