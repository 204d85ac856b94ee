/**
 * Hashes of Go structs as KubeFleet computes them, so that it can take over from us, and we from it, without a new snapshot of
 * everything.
 */
import { createHash } from 'node:crypto';
import { goJson, isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';

/** A Go type: a struct with its fields in the order of their declaration, or anything else. */
export type GoType = GoStruct | GoListOf | undefined;

export interface GoStruct {
  readonly fields: readonly GoField[];
}

/** A slice or a map of structs. */
export interface GoListOf {
  readonly of: GoStruct;
}

export interface GoField {
  readonly name: string;
  readonly type?: GoType;
  /** Printed even if it is empty; a missing one as this value. Other fields are omitted then. */
  readonly whenEmpty?: JsonValue;
}

/** SHA-256 of Go's JSON for this value, in lower-case hexadecimal. */
export function goHash(value: JsonValue, type?: GoType): string {
  return createHash('sha256')
    .update(goJson(inOrder(value, type), { sortKeys: false }))
    .digest('hex');
}

function inOrder(value: JsonValue, type: GoType): JsonValue {
  if (type === undefined) return isJsonObject(value) || Array.isArray(value) ? withSortedKeys(value) : value;
  if ('of' in type) {
    return Array.isArray(value) ? value.map((item) => inOrder(item, type.of)) : value;
  }
  return isJsonObject(value) ? structOf(value, type) : value;
}

function structOf(value: JsonObject, { fields }: GoStruct): JsonObject {
  const ordered: JsonObject = {};
  for (const { name, type, whenEmpty } of fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined && !isEmpty(given)) ordered[name] = inOrder(given, type);
    else if (whenEmpty !== undefined) ordered[name] = given ?? whenEmpty;
  }
  return ordered;
}

/** The zero values of Go's `omitempty`. An object stands for a pointer, which is omitted only if it is absent. */
function isEmpty(value: JsonValue): boolean {
  return (
    value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
  );
}

function withSortedKeys(value: JsonValue): JsonValue {
  return JSON.parse(goJson(value, { escapeHtml: false })) as JsonValue;
}
