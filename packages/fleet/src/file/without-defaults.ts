import { isJsonObject, jsonEquals, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { JsonSchema } from '@flotilla/schema';
import { checkedValue } from './check-value.ts';

/** A checked object without the fields that have their default value. */
export function withoutDefaults(value: JsonValue | undefined, schema: JsonSchema): JsonObject {
  const sparse = isJsonObject(value) ? sparseValue(value, schema, new Map()) : undefined;
  return isJsonObject(sparse) ? sparse : {};
}

/** The default value of a schema, with the defaults of its fields. Many members have the same schema. */
type Defaults = Map<JsonSchema, JsonValue | undefined>;

function sparseValue(value: JsonValue, schema: JsonSchema, defaults: Defaults): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sparseValue(item, schema.items as JsonSchema, defaults));
  if (!isJsonObject(value) || schema.properties === undefined) return value;
  const sparse: JsonObject = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    const given = value[name];
    if (given === undefined) continue;
    const byDefault = defaultOf(field, defaults);
    if (byDefault === undefined || !jsonEquals(given, byDefault))
      setOwn(sparse, name, sparseValue(given, field, defaults));
  }
  return sparse;
}

function defaultOf(schema: JsonSchema, defaults: Defaults): JsonValue | undefined {
  if (!defaults.has(schema)) {
    const options = { report: () => undefined, resolveFile: (file: string) => file };
    defaults.set(schema, checkedValue(undefined, schema, [], options));
  }
  return defaults.get(schema);
}
