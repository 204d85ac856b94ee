/** A structural schema declares each field in one place; pruning and defaults depend on it. */
import { compareBytes, fieldErrorText, forbidden, invalid, required, type FieldError } from '@flotilla/kube';
import { itemsOf, propertyOf, valuesOf, type JsonSchema } from '../json-schema.ts';
import { checkValueRules } from './junctor-rules.ts';
import { structuralKeywords } from './structural-keywords.ts';

/** Sorting many long texts takes too long, and more errors than this are useless. */
const maxErrors = 1000;

/** Errors sorted by their texts, as in Kubernetes. */
export function validateStructural(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, 'root', path, errors);
  checkCompleteness(schema, path, errors);
  return errors.length < 2 ? errors : sortedByText(errors.slice(0, maxErrors));
}

type Level = 'root' | 'item' | 'field';

const missingTypeMessage: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkNode(schema: JsonSchema, level: Level, path: string, errors: FieldError[]): void {
  if (errors.length >= maxErrors) return;
  checkChildren(schema, path, errors);
  if (level === 'root' && schema.additionalProperties !== undefined) {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  checkIntOrString(schema, path, errors);
  checkValueRules(schema, path, errors);
  checkType(schema, level, path, errors);
  checkEmbeddedResource(schema, path, errors);
  checkResourceFields(schema, level, path, errors);
}

function checkChildren(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const items = itemsOf(schema);
  if (items !== undefined) checkNode(items, 'item', `${path}.items`, errors);
  else if (schema.type === 'array') errors.push(required(`${path}.items`, 'must be specified'));
  const { properties = {} } = schema;
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (property !== undefined) checkNode(property, 'field', `${path}.properties[${name}]`, errors);
  }
  const values = valuesOf(schema);
  if (values !== undefined) checkNode(values, 'field', `${path}.additionalProperties`, errors);
}

function checkIntOrString(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (schema['x-kubernetes-int-or-string'] !== true) return;
  for (const keyword of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[keyword] !== true) continue;
    errors.push(invalid(`${path}.${keyword}`, true, 'must be false if x-kubernetes-int-or-string is true'));
  }
}

function checkType(schema: JsonSchema, level: Level, path: string, errors: FieldError[]): void {
  const { type = '' } = schema;
  if (isEmbedded(schema) && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, detail) : invalid(`${path}.type`, type, detail));
  } else if (type === '' && !mayBeUntyped(schema)) {
    errors.push(required(`${path}.type`, missingTypeMessage[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  }
}

function mayBeUntyped(schema: JsonSchema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function checkEmbeddedResource(schema: JsonSchema, path: string, errors: FieldError[]): void {
  if (!isEmbedded(schema)) return;
  if (schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(`${path}.additionalProperties`, detail));
  }
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  if (isEmpty && schema['x-kubernetes-preserve-unknown-fields'] !== true) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${path}.properties`, detail));
  }
}

/** `kind`, `apiVersion` and `metadata` at the root of a resource. */
function checkResourceFields(schema: JsonSchema, level: Level, path: string, errors: FieldError[]): void {
  if (level !== 'root' && !isEmbedded(schema)) return;
  for (const [name, type] of resourceFields) {
    const field = propertyOf(schema, name);
    if (field === undefined || field.type === type) continue;
    errors.push(invalid(`${path}.properties[${name}].type`, field.type ?? '', `must be ${type}`));
  }
  const metadata = propertyOf(schema, 'metadata');
  if (level !== 'root' || metadata === undefined || saysOnlyNames(metadata)) return;
  const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  errors.push(forbidden(`${path}.properties[metadata]`, detail));
}

const resourceFields = [
  ['kind', 'string'],
  ['apiVersion', 'string'],
  ['metadata', 'object'],
] as const;

/** Other validation refuses defaults. */
function saysOnlyNames(metadata: JsonSchema): boolean {
  return (
    structuralKeywords(metadata).every((key) => key === 'type' || key === 'default' || key === 'properties') &&
    Object.keys(metadata.properties ?? {}).every((name) => name === 'name' || name === 'generateName')
  );
}

function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function sortedByText(errors: readonly FieldError[]): FieldError[] {
  return errors
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((a, b) => compareBytes(a.text, b.text))
    .map(({ error }) => error);
}

/** What junctors at the root restrict must be declared outside of them. */
function checkCompleteness(schema: JsonSchema, path: string, errors: FieldError[]): void {
  checkJunctors(schema, { schema, path }, path, errors);
}

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
