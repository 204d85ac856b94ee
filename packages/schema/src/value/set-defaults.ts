import { copyJson, JsonFloat, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';

/** Sets missing fields from the root downwards: other defaults may complete a default. */
export function setDefaults(value: JsonValue | undefined, node: SchemaNode): void {
  if (!node.below.hasDefaults || typeof value !== 'object' || value === null || value instanceof JsonFloat) return;
  if (Array.isArray(value)) setInItems(value, node);
  else setInObject(value, node);
}

function setInObject(object: JsonObject, node: SchemaNode): void {
  for (const [name, property] of node.properties) {
    if (!property.below.hasDefaults) continue;
    if (property.default !== undefined && isMissing(object, name, property)) {
      setOwn(object, name, copyJson(property.default));
    }
    if (Object.hasOwn(object, name)) setDefaults(object[name], property);
  }
  const { values } = node;
  if (values?.below.hasDefaults !== true) return;
  for (const key of Object.keys(object)) {
    if (node.properties.has(key)) continue;
    if (object[key] === null && !values.isNullable) setOwn(object, key, copyJson(values.default ?? null));
    setDefaults(object[key], values);
  }
}

function setInItems(list: JsonValue[], { items }: SchemaNode): void {
  if (items === undefined) return;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === null && !items.isNullable) list[i] = copyJson(items.default ?? null);
    setDefaults(list[i], items);
  }
}

/** A null that is not allowed counts as missing. */
function isMissing(object: JsonObject, name: string, property: SchemaNode): boolean {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return value === undefined || (value === null && !property.isNullable);
}
