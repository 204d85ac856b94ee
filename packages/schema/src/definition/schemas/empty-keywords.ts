/**
 * Lists and maps without entries. A few checks of Kubernetes tell them from none; everything else does not, and they are not
 * stored.
 */
import { copyJson, schemaCollectionKeywords, type JsonObject } from '@flotilla/kube';
import type { JsonSchema } from '../../json-schema.ts';
import { everySchema } from '../../structural/schema-walk.ts';
import type { CustomResourceDefinition } from '../custom-resource-definition.ts';

/** Takes them out of a definition that was found to be valid. */
export function dropEmptyKeywords({ spec }: CustomResourceDefinition): void {
  for (const { schema } of spec.versions ?? []) {
    if (schema?.openAPIV3Schema) everySchema(schema.openAPIV3Schema, dropOwn);
  }
}

/** The same schema without them: itself, if it has none. */
export function withoutEmptyKeywords(schema: JsonSchema): JsonSchema {
  let isPlain = true;
  everySchema(schema, (one) => {
    if (schemaCollectionKeywords.some((keyword) => isEmpty(one[keyword]))) isPlain = false;
  });
  if (isPlain) return schema;
  const plain = copyJson(schema as JsonObject) as JsonSchema;
  everySchema(plain, dropOwn);
  return plain;
}

function dropOwn(schema: JsonSchema): void {
  for (const keyword of schemaCollectionKeywords) if (isEmpty(schema[keyword])) delete (schema as JsonObject)[keyword];
}

function isEmpty(value: object | undefined): boolean {
  if (value === undefined) return false;
  for (const _ in value) return false;
  return true;
}
