/** What may not stand at the root of a schema, where only the properties below it are told apart. */
import { forbidden, invalid, type FieldError } from '@flotilla/kube';
import type { JsonSchema } from '../../json-schema.ts';
import { invalidPrinted, printSchema } from './internal-form.ts';

export function validateRootSchema(schema: JsonSchema, hasStatus: boolean, path: string): FieldError[] {
  const errors = hasStatus ? validateBesideStatus(schema, path) : [];
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));
  return errors;
}

/** Status is validated by `properties[status]` alone, so nothing above it may speak of it. */
function validateBesideStatus(schema: JsonSchema, path: string): FieldError[] {
  const refused = Object.keys(schema).find((key) =>
    key === 'type' ? schema.type !== 'object' : !allowedAtRoot.has(key),
  );
  if (refused === undefined) return [];
  if (refused !== 'type') return [invalidPrinted(path, printSchema(schema), onlyTheseMessage)];
  const detail = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
  return [invalid(`${path}.type`, schema.type, detail)];
}

/** By keyword, their names in Go, which the message lists. */
const allowedAtRoot: ReadonlyMap<string, string> = new Map([
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
]);

const allowedNames = [...allowedAtRoot.values()].join(' ');
const onlyTheseMessage = `only [${allowedNames}] fields are allowed at the root of the schema if the status subresource is enabled`;
