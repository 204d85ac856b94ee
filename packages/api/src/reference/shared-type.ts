import type { JsonSchema } from '@flotilla/schema';

/** A schema that has a section of its own, so that its fields are not shown wherever it is used. */
export interface SharedType {
  readonly title: string;
  readonly schema: JsonSchema;
}

/** Schemas are written once and used in many places, with another description or rule here and there: the fields tell. */
export function sharedTypeOf(schema: JsonSchema, shared: readonly SharedType[]): SharedType | undefined {
  return shared.find((type) => type.schema === schema || haveSameFields(type.schema, schema));
}

/** Whether all fields are the same, by identity. */
export function haveSameFields({ properties: one }: JsonSchema, { properties: other }: JsonSchema): boolean {
  if (!one || !other || Object.keys(one).length !== Object.keys(other).length) return false;
  return Object.entries(one).every(([name, field]) => other[name] === field);
}
