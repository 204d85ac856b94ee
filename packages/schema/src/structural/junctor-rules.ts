/** Schemas inside `allOf`, `anyOf`, `oneOf` and `not` may only restrict values: they must not declare fields. */
import { forbidden, invalid, type FieldError } from '@flotilla/kube';
import { itemsOf, type JsonSchema } from '../json-schema.ts';
import { textPattern } from '../value/string-rule.ts';
import { structuralKeywords } from './structural-keywords.ts';

/** Checks the junctors and the pattern of a schema outside of junctors. */
export function checkValueRules(schema: JsonSchema, path: string, errors: FieldError[]): void {
  const isAllowed = { choice: hasIntOrStringChoice(schema), demand: hasIntOrStringDemand(schema) };
  checkJunctors(schema, path, isAllowed, errors);
}

/** Where the two types of an int-or-string are allowed. */
interface AllowedTypes {
  readonly choice: boolean;
  readonly demand: boolean;
}

const allowedNowhere: AllowedTypes = { choice: false, demand: false };
const allowedInChoice: AllowedTypes = { choice: true, demand: false };

function checkJunctors(schema: JsonSchema, path: string, isAllowed: AllowedTypes, errors: FieldError[]): void {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema;
  if (!isAllowed.choice) anyOf.forEach((one, i) => checkNested(one, `${path}.anyOf[${i}]`, allowedNowhere, errors));
  allOf.forEach((one, i) => {
    checkNested(one, `${path}.allOf[${i}]`, isAllowed.demand && i === 0 ? allowedInChoice : allowedNowhere, errors);
  });
  oneOf.forEach((one, i) => checkNested(one, `${path}.oneOf[${i}]`, allowedNowhere, errors));
  if (not !== undefined) checkNested(not, `${path}.not`, allowedNowhere, errors);
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem !== undefined) {
    errors.push(invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`));
  }
}

function checkNested(schema: JsonSchema, path: string, isAllowed: AllowedTypes, errors: FieldError[]): void {
  checkJunctors(schema, path, isAllowed, errors);
  const items = itemsOf(schema);
  if (items !== undefined) checkNested(items, `${path}.items`, allowedNowhere, errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    checkNested(property, `${path}.properties[${name}]`, allowedNowhere, errors);
    if (name === 'metadata') {
      errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
    }
  }
  for (const { keyword, mustBe, isSet } of forbiddenInJunctors) {
    if (isSet(schema)) errors.push(forbidden(`${path}.${keyword}`, `must be ${mustBe} to be structural`));
  }
}

interface ForbiddenKeyword {
  readonly keyword: keyof JsonSchema;
  readonly mustBe: 'empty' | 'undefined' | 'false';
  readonly isSet: (schema: JsonSchema) => boolean;
}

const forbiddenInJunctors: readonly ForbiddenKeyword[] = [
  notEmpty('type'),
  {
    keyword: 'additionalProperties',
    mustBe: 'undefined',
    isSet: ({ additionalProperties: values = false }) => values !== false,
  },
  undefinedOnly('default'),
  notEmpty('title'),
  notEmpty('description'),
  notTrue('nullable'),
  notTrue('x-kubernetes-preserve-unknown-fields'),
  notTrue('x-kubernetes-embedded-resource'),
  notTrue('x-kubernetes-int-or-string'),
  notEmpty('x-kubernetes-list-map-keys'),
  undefinedOnly('x-kubernetes-list-type'),
  undefinedOnly('x-kubernetes-map-type'),
  notEmpty('x-kubernetes-validations'),
];

type KeysOf<T> = { [K in keyof JsonSchema]-?: NonNullable<JsonSchema[K]> extends T ? K : never }[keyof JsonSchema];

function notEmpty(keyword: KeysOf<string | readonly unknown[]>): ForbiddenKeyword {
  return { keyword, mustBe: 'empty', isSet: (schema) => (schema[keyword]?.length ?? 0) > 0 };
}

function undefinedOnly(keyword: keyof JsonSchema): ForbiddenKeyword {
  return { keyword, mustBe: 'undefined', isSet: (schema) => schema[keyword] !== undefined };
}

function notTrue(keyword: KeysOf<boolean>): ForbiddenKeyword {
  return { keyword, mustBe: 'false', isSet: (schema) => schema[keyword] === true };
}

/** `anyOf: [{type: integer}, {type: string}]` and nothing else: the only types that are allowed in a junctor. */
function hasIntOrStringChoice({ anyOf }: JsonSchema): boolean {
  return anyOf?.length === 2 && isJustType(anyOf[0], 'integer') && isJustType(anyOf[1], 'string');
}

/** The same as the first entry of `allOf: [{anyOf: […]}, …]`. */
function hasIntOrStringDemand({ allOf }: JsonSchema): boolean {
  const first = allOf?.[0];
  return first !== undefined && hasIntOrStringChoice(first);
}

function isJustType(schema: JsonSchema | undefined, type: string): boolean {
  return schema?.type === type && structuralKeywords(schema).length === 1;
}

/** Undefined if Go can compile the pattern, else Go's message. */
function patternProblem(pattern: string): string | undefined {
  const { error } = textPattern(pattern);
  // Go prints the offending part even if it is empty.
  return error?.endsWith('trailing backslash at end of expression') === true ? `${error}: \`\`` : error;
}
