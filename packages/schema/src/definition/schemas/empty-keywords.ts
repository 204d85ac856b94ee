/**
 * Handles empty lists and maps in schemas. A few checks of Kubernetes distinguish them from absent ones, but they are
 * not stored.
 */
import { copyJson, schemaCollectionKeywords, type JsonObject } from '@flotilla/kube';
import type { JsonSchema } from '../../json-schema.ts';
import { everySchema } from '../../structural/schema-walk.ts';
import type { CustomResourceDefinition } from '../custom-resource-definition.ts';

/** Empty `dependencies` stay: Kubernetes refuses them like others. */
const droppedKeywords = schemaCollectionKeywords.filter((keyword) => keyword !== 'dependencies');

/** Removes empty keywords from a valid definition. */
export function dropEmptyKeywords({ spec }: CustomResourceDefinition): void {
  for (const { schema } of spec.versions ?? []) {
    if (schema?.openAPIV3Schema) everySchema(schema.openAPIV3Schema, dropOwn);
  }
}

/** Returns the schema without empty keywords, or itself if it has none. */
export function withoutEmptyKeywords(schema: JsonSchema): JsonSchema {
  let isPlain = true;
  everySchema(schema, (one) => {
    if (droppedKeywords.some((keyword) => isEmpty(one[keyword]))) isPlain = false;
  });
  if (isPlain) return schema;
  const plain = copyJson(schema as JsonObject) as JsonSchema;
  everySchema(plain, dropOwn);
  return plain;
}

function dropOwn(schema: JsonSchema): void {
  for (const keyword of droppedKeywords) if (isEmpty(schema[keyword])) delete (schema as JsonObject)[keyword];
}

function isEmpty(value: object | undefined): boolean {
  if (value === undefined) return false;
  for (const _ in value) return false;
  return true;
}
