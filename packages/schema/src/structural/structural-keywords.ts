import { itemsOf, valuesOf, type JsonSchema } from '../json-schema.ts';

/** Not part of a structural schema: validation refuses them elsewhere, or they are empty. */
const nonStructuralKeywords: ReadonlySet<string> = new Set([
  'id',
  '$schema',
  '$ref',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
]);

/** Kubernetes drops empty lists of these keywords. Of other keywords it keeps them, and treats them as set. */
const rebuiltKeywords: ReadonlySet<string> = new Set(['enum', 'allOf', 'anyOf', 'oneOf']);

/** The keywords about a schema's structure or values. */
export function structuralKeywords(schema: JsonSchema): string[] {
  return Object.keys(schema).filter((keyword) => {
    if (nonStructuralKeywords.has(keyword)) return false;
    const value = schema[keyword as keyof JsonSchema];
    return !(rebuiltKeywords.has(keyword) && Array.isArray(value) && value.length === 0);
  });
}

/**
 * The first keyword that prevents a schema from being structural, if any. Other validation reports most of them with a
 * path.
 */
export function unsupportedKeyword(schema: JsonSchema): string | undefined {
  return (
    ownProblem(schema) ??
    inJunctors(schema) ??
    preserveProblem(schema) ??
    itemsProblem(schema) ??
    firstIn(Object.values(schema.properties ?? {})) ??
    inOptional(valuesOf(schema))
  );
}

/** Whether the schema itself has such a keyword, whatever is below it. */
export function isUnsupported(schema: JsonSchema): boolean {
  return (ownProblem(schema) ?? preserveProblem(schema)) !== undefined || Array.isArray(schema.items);
}

function ownProblem(schema: JsonSchema): string | undefined {
  const keyword = unsupportedKeywords.find(({ isSet }) => isSet(schema))?.name;
  return keyword && `OpenAPIV3Schema '${keyword}' is not supported`;
}

interface Unsupported {
  readonly name: string;
  readonly isSet: (schema: JsonSchema) => boolean;
}

const unsupportedKeywords: readonly Unsupported[] = [
  { name: 'id', isSet: ({ id = '' }) => id !== '' },
  { name: 'schema', isSet: ({ $schema = '' }) => $schema !== '' },
  { name: '$ref', isSet: ({ $ref = '' }) => $ref !== '' },
  { name: 'patternProperties', isSet: ({ patternProperties }) => hasEntries(patternProperties) },
  { name: 'dependencies', isSet: ({ dependencies }) => hasEntries(dependencies) },
  { name: 'additionalItems', isSet: ({ additionalItems }) => additionalItems !== undefined },
  { name: 'definitions', isSet: ({ definitions }) => hasEntries(definitions) },
];

function inJunctors({ not, allOf = [], anyOf = [], oneOf = [] }: JsonSchema): string | undefined {
  return inOptional(not) ?? firstIn(allOf) ?? firstIn(anyOf) ?? firstIn(oneOf);
}

function preserveProblem(schema: JsonSchema): string | undefined {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== false) return undefined;
  return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
}

function itemsProblem(schema: JsonSchema): string | undefined {
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return inOptional(itemsOf(schema));
}

function firstIn(schemas: readonly JsonSchema[]): string | undefined {
  for (const schema of schemas) {
    const problem = unsupportedKeyword(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inOptional(schema: JsonSchema | undefined): string | undefined {
  return schema && unsupportedKeyword(schema);
}

function hasEntries(map: object | undefined): boolean {
  return map !== undefined && Object.keys(map).length > 0;
}
