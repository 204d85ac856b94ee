import type { JsonSchema } from '@flotilla/schema';
import { isSchema } from '../schema-difference.ts';
import { anchorOf } from './markdown.ts';

export interface FieldRow {
  /** `spec.taints[].key`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

/** All fields of a schema, each followed by its nested fields. */
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

/** The type of a field: `list of string`, `integer (int32)`. */
function typeText(schema: JsonSchema, shared: readonly SharedType[]): string {
  const title = sharedTypeOf(schema, shared)?.title;
  if (title !== undefined) return `[${title}](${anchorOf(title)})`;
  const { type, format, items, additionalProperties: values } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  if (schema['x-kubernetes-embedded-resource'] === true) return 'any object with kind and apiVersion';
  if (type === undefined) return 'anything';
  if (type === 'array') return `list of ${typeText(items as JsonSchema, shared)}`;
  if (typeof values === 'object') return `map of ${typeText(values, shared)}`;
  if (type === 'object' && schema['x-kubernetes-preserve-unknown-fields'] === true) return 'any object';
  return format === undefined ? type : `${type} (${format})`;
}

/** A schema with a section of its own, so that its fields are listed once. */
export interface SharedType {
  readonly title: string;
  readonly schema: JsonSchema;
}

/** Copies of a schema may have another description or rule, so the fields decide. */
export function sharedTypeOf(schema: JsonSchema, shared: readonly SharedType[]): SharedType | undefined {
  return shared.find((type) => type.schema === schema || haveSameFields(type.schema, schema));
}

/** Whether all fields are the same, by identity. */
export function haveSameFields({ properties: one }: JsonSchema, { properties: other }: JsonSchema): boolean {
  if (!one || !other || Object.keys(one).length !== Object.keys(other).length) return false;
  return Object.entries(one).every(([name, field]) => other[name] === field);
}
