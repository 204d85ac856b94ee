/** Whatever the junctors at the root speak of must be declared outside of them, so that its shape is known. */
import { required, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../json-schema.ts';
import { itemsOf, propertyOf } from '../schema-parts.ts';

export function checkCompleteness(schema: JsonSchema, path: string, errors: FieldError[]): void {
  checkJunctors(schema, { schema, path }, path, errors);
}

/** The declaration that belongs to a schema in a junctor. */
interface Declaration {
  readonly schema: JsonSchema | undefined;
  readonly path: string;
}

function checkJunctors(schema: JsonSchema, declared: Declaration, path: string, errors: FieldError[]): void {
  const { not, allOf = [], anyOf = [], oneOf = [] } = schema;
  if (not !== undefined) check(not, declared, `${path}.not`, errors);
  allOf.forEach((one, i) => check(one, declared, `${path}.allOf[${i}]`, errors));
  anyOf.forEach((one, i) => check(one, declared, `${path}.anyOf[${i}]`, errors));
  oneOf.forEach((one, i) => check(one, declared, `${path}.oneOf[${i}]`, errors));
}

function check(schema: JsonSchema, declared: Declaration, path: string, errors: FieldError[]): void {
  const outside = declared.schema;
  if (outside === undefined) {
    errors.push(required(declared.path, `because it is defined in ${path}`));
    return;
  }
  checkJunctors(schema, declared, path, errors);
  const items = itemsOf(schema);
  if (items !== undefined) {
    check(items, { schema: itemsOf(outside), path: `${declared.path}.items` }, `${path}.items`, errors);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const child = { schema: propertyOf(outside, name), path: `${declared.path}.properties[${name}]` };
    check(property, child, `${path}.properties[${name}]`, errors);
  }
}
