import type { JsonSchema } from '@flotilla/schema';
import { sharedTypeOf, type SharedType } from './shared-type.ts';
import { typeText } from './type-text.ts';
import { isSchema } from '../is-schema.ts';

/** One field of a kind, as the reference shows it. */
export interface FieldRow {
  /** `spec.taints[].key`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** All fields within a schema, each followed by those within it. */
export function fieldRows(schema: JsonSchema, shared: readonly SharedType[], parent = ''): FieldRow[] {
  const fields = Object.entries(schema.properties ?? {});
  return fields.flatMap(([name, field]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const row = { path, type: typeText(field, shared), isRequired, schema: field };
    return [row, ...rowsWithin(field, shared, path)];
  });
}

function rowsWithin(schema: JsonSchema, shared: readonly SharedType[], path: string): FieldRow[] {
  if (sharedTypeOf(schema, shared)) return [];
  const { items, additionalProperties: values } = schema;
  if (isSchema(items)) return rowsWithin(items, shared, `${path}[]`);
  if (isSchema(values)) return rowsWithin(values, shared, `${path}{}`);
  return fieldRows(schema, shared, path);
}
