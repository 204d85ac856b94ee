import type { JsonSchema } from '@flotilla/schema';

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
